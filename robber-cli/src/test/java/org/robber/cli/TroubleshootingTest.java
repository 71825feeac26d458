package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.robber.RobberException.Reason;

/** The page for those in trouble tells of every exit code, and quotes only messages that the program has. */
class TroubleshootingTest {

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final Path PAGE = ROOT.resolve("docs/how-to/troubleshoot.md");
    private static final Pattern ROW = Pattern.compile("^\\| `([^`]+)` \\|", Pattern.MULTILINE);
    private static final Pattern COMMENT_OR_TEXT =
            Pattern.compile("//[^\\n]*|/\\*.*?\\*/|\"((?:[^\"\\\\\\n]|\\\\.)*)\"", Pattern.DOTALL);
    private static final String GAP = "\n";

    @Test
    void messagesAreThoseOfTheProgram() throws IOException {
        List<String> texts = texts();
        List<String> quoted = ROW.matcher(Files.readString(PAGE))
                .results()
                .map((MatchResult row) -> row.group(1))
                .toList();

        assertThat(quoted).hasSizeGreaterThan(50);
        assertThat(quoted).allSatisfy(message -> {
            List<String> parts = Arrays.stream(message.split("\\.\\.\\."))
                    .filter(part -> part.length() > 2)
                    .toList();
            assertThat(parts).isNotEmpty();
            assertThat(texts).as(message).anyMatch(text -> parts.stream().allMatch(text::contains));
        });
    }

    @Test
    void everyExitCodeIsThere() throws IOException {
        String page = Files.readString(PAGE);

        for (Reason reason : Reason.values()) {
            assertThat(page).containsPattern("(?m)^\\| (\\d+, )*" + reason.exitCode() + "(, \\d+)* \\|");
        }
    }

    /** Of each file of the program: its texts, those put together by the compiler as one. */
    private static List<String> texts() throws IOException {
        List<String> texts = new ArrayList<>();
        for (String module : List.of("robber-core", "robber-transport", "robber-cli")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main"))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    String name = file.toString();
                    if (name.endsWith(".java")) {
                        texts.add(literals(Files.readString(file)));
                    } else if (name.endsWith(".sh")) {
                        texts.add(Files.readString(file));
                    }
                }
            }
        }
        return texts;
    }

    private static String literals(String source) {
        StringBuilder literals = new StringBuilder();
        int end = 0;
        for (MatchResult found : COMMENT_OR_TEXT.matcher(source).results().toList()) {
            if (found.group(1) != null) {
                literals.append(source.substring(end, found.start()).matches("\\s*\\+\\s*") ? "" : GAP)
                        .append(found.group(1));
            }
            end = found.end();
        }
        return literals.toString();
    }
}
