package org.robber.core.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The page {@code docs/reference/protocol.md}. */
public record ProtocolDocument(String text) {
    /** A table's row that begins with a type, its code, and its limit. */
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\| (\\d+) \\| (\\d+) \\|");

    public List<String> rows(String heading) {
        int from = text.indexOf("\n## " + heading + "\n");
        assertThat(from).as("heading %s", heading).isPositive();
        int to = text.indexOf("\n## ", from + 1);
        String section = text.substring(from, to < 0 ? text.length() : to);
        return ROW.matcher(section).results().map(MatchResult::group).toList();
    }

    public static String row(String name, int code, int limitBytes) {
        return "| `" + name + "` | " + code + " | " + limitBytes + " |";
    }

    public static ProtocolDocument read() {
        try {
            return new ProtocolDocument(Files.readString(
                    Path.of("").toAbsolutePath().resolveSibling("docs").resolve("reference/protocol.md")));
        } catch (IOException e) {
            throw new IllegalStateException("tests run in the folder of their module", e);
        }
    }
}
