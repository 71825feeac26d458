package org.robber.cli.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;
import org.robber.cli.progress.ProgressDisplay;
import org.robber.cli.progress.ProgressMode;
import org.robber.cli.progress.StatusConsole;
import org.robber.emulation.json.JsonObjectWriter;

class ConsoleOutputTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream stream = new PrintStream(printed, true, UTF_8);
    private final StatusConsole console = new StatusConsole(stream);
    private final ConsoleOutput output =
            new ConsoleOutput(stream, console, new ProgressDisplay(console, ProgressMode.NONE, 80, () -> 0));

    @Test
    void jsonKeepsItsMeaning() {
        String json =
                JsonObjectWriter.indented(fields -> fields.writeStringProperty("path", "a\u0085\u009b\u007f\u001b"));
        output.result(json);

        assertThat(printed.toString(UTF_8)).isEqualTo("{\n  \"path\" : \"a\\u0085\\u009b\\u007f\\u001B\"\n}\n");
    }

    @Test
    void controlCharactersOfOtherNodesDoNotReachTheTerminal() {
        output.result("problem:\ta\u001b]0;title\u0007");
        output.result("{\n}");
        output.error(5, "b\u001b[2J");

        assertThat(printed.toString(UTF_8))
                .isEqualTo("problem:\ta\\u001b]0;title\\u0007\n{\n}\nrobber-cli: error: b\\u001b[2J\n");
    }
}
