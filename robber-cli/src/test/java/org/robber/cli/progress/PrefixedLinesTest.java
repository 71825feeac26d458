package org.robber.cli.progress;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class PrefixedLinesTest {
    private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
    private final PrefixedLines lines =
            new PrefixedLines("node7", new StatusConsole(new PrintStream(shown, true, UTF_8)), UTF_8);

    @Test
    void linesAreShownWithTheirHostHoweverTheirBytesCome() {
        byte[] all = "one\n\n  two\u00e9 \nrest".getBytes(UTF_8);
        for (byte part : all) {
            lines.add(new byte[] {part});
        }
        assertThat(lines.last()).isEqualTo("two\u00e9");
        lines.end();
        assertThat(shown.toString(UTF_8)).isEqualTo("node7: one\nnode7:   two\u00e9\nnode7: rest\n");
        assertThat(lines.last()).isEqualTo("rest");
    }

    /** A node must not fill the memory of its operator. */
    @Test
    void aLineWithoutEndIsShownInParts() {
        lines.add(new byte[100_000]);
        lines.end();
        lines.add("x".repeat(100_000).getBytes(UTF_8));
        lines.end();
        assertThat(shown.toString(UTF_8).lines())
                .hasSizeGreaterThan(12)
                .allMatch(line -> line.replace("\\u0000", "0").length() < 8300);
    }
}
