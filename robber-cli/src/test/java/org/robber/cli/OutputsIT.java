package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of results and progress when standard output and error are terminals, full, closed or abandoned. */
@Execution(ExecutionMode.CONCURRENT)
class OutputsIT {
    private static final String REDRAW = "\r\u001b[K";
    private static final long BYTES = 32L << 20;

    @TempDir
    Path folder;

    private Path source;

    @BeforeEach
    void makeSource() throws IOException {
        source = Trees.makeLarge(folder.resolve("source/large"), BYTES);
    }

    @ParameterizedTest
    @CsvSource({"60, 60", "0, 80"})
    void barsFitTheirTerminalAndDoNotFloodIt(int columns, int assumed) throws Exception {
        assumeThat(isInstalled("script"))
                .as("script, which makes terminals, is installed")
                .isTrue();
        Map<String, String> names = Map.of(
                "NAME", Launched.script().toString(), "SRC", source.toString(), "PLACE", dest(), "SHELL", "/bin/sh");
        String command = "stty cols " + columns + "; exec \"$NAME\" replicate --local=1x3 \"$SRC\" \"$PLACE\"";
        try (Launched run = Launched.command(folder, names, List.of("script", "-qec", command, "/dev/null"))) {
            assertThat(run.exitCode()).as(run.out()).isZero();
            String shown = run.out().replace("\r\n", "\n");
            List<String> bars = Arrays.asList(shown.split(Pattern.quote(REDRAW), -1));
            assertThat(bars).as("drawn at most ten times a second").hasSizeBetween(2, 10 * (run.seconds() + 1) + 2);
            for (String bar : bars.subList(1, bars.size())) {
                assertThat(bar.lines().findFirst())
                        .hasValueSatisfying(line ->
                                assertThat(line).hasSizeLessThan(assumed).contains("% ", "B of 64.0 MiB"));
            }
            assertThat(bars.get(bars.size() - 1)).contains("100%", "\nRANK  NODE  ", "\ncomplete: 3 of 3 nodes");
            assertThat(shown.replace(REDRAW, "")).doesNotContain("\u001b", "\r");
        }
    }

    /** {@code -n} prints results as well, and starts no nodes. */
    @ParameterizedTest
    @CsvSource({"6, >&- 2>&- <&-", "0, 2>&- <&-"})
    void resultsThatCannotBeDeliveredAreNoSuccess(int exitCode, String redirection) throws Exception {
        try (Launched run = shell("exec \"$@\" " + redirection, "-n")) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(exitCode);
            assertThat(run.out().contains("dry run: nothing was written")).isEqualTo(exitCode == 0);
        }
    }

    @Test
    void aReportIsAddedToTheLog() throws Exception {
        Map<String, String> alone = Map.of(
                "ROBBER_RANK", "0", "ROBBER_SIZE", "1", "ROBBER_URI", "robber://job@127.0.0.1:" + FreePort.find());
        try (Launched run =
                Launched.start(folder, alone, "replicate", "-v", "--report=/dev/stderr", source.toString(), dest())) {
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.err()).containsSubsequence("scan has ended", "\"status\" : \"complete\"", "\n}\n");
        }
    }

    @Test
    void readersThatDoNotWaitAreNoticed() throws Exception {
        Path code = folder.resolve("code");
        // The command begins when the reader of its output is gone.
        String command = "{ until [ -e gone ]; do :; done; \"$@\"; echo $? >code; } | { exec <&-; : >gone; }";
        try (Launched run = shell(command)) {
            run.exitCode();
            assertThat(code).content().isEqualTo("6\n");
            assertThat(run.err()).contains("the output could not be written");
        }
        assertThat(folder.resolve("dest/A-1/large")).hasSize(BYTES);
    }

    private Launched shell(String command, String... options) throws IOException {
        List<String> all = new ArrayList<>(
                List.of("sh", "-c", command, "sh", Launched.script().toString(), "replicate", "--local=1x2"));
        all.addAll(List.of(options));
        all.add(source.toString());
        all.add(dest());
        return Launched.command(folder, Map.of(), all);
    }

    private String dest() {
        return folder.resolve("dest").toString();
    }

    private static boolean isInstalled(String program) throws IOException, InterruptedException {
        return new ProcessBuilder("sh", "-c", "command -v " + program).start().waitFor() == 0;
    }
}
