package org.robber.bench.loopback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole comparison with real processes and little data: its figures mean nothing, but it cannot rot. */
class LoopbackTest {
    private static final Contender[] USUAL = Arrays.stream(Contender.values())
            .filter(contender -> !contender.isEncrypted())
            .toArray(Contender[]::new);

    private final ByteArrayOutputStream results = new ByteArrayOutputStream();
    private final ByteArrayOutputStream progress = new ByteArrayOutputStream();

    @TempDir
    Path folder;

    @Test
    void comparesAllContenders() throws IOException {
        Path json = folder.resolve("report.json");
        Path data = Files.createDirectory(folder.resolve("data"));
        List<CaseResult> all = run("--cases=2:4M", "--runs=1", "--directory=" + data, "--json=" + json);

        assertThat(all).singleElement().satisfies(result -> {
            assertThat(result.runs()).containsOnlyKeys(USUAL);
            result.runs()
                    .values()
                    .forEach(runs -> assertThat(runs).singleElement().satisfies(LoopbackTest::isPlausible));
            assertThat(result.runs().get(Contender.ROBBER_FILE).get(0).controlShare())
                    .isGreaterThan(0);
            // A head for each piece, and what asks for it.
            assertThat(result.runs().get(Contender.ROBBER_FILE).get(0).messagesPerPiece())
                    .isGreaterThan(1);
            if (results.toString(StandardCharsets.UTF_8).contains("system_calls by ")) {
                assertThat(result.systemCalls()).containsOnlyKeys(USUAL);
            }
            assertThat(result.runs().get(Contender.ROBBER_FILE).get(0).wanCopies())
                    .isGreaterThanOrEqualTo(1.0);
        });
        assertThat(results.toString(StandardCharsets.UTF_8))
                .contains(
                        "Receivers: 2, of 4M each", "robber-file", "robber-file   / plain-discard", "goal at most 2.5");
        assertThat(progress.toString(StandardCharsets.UTF_8)).hasLineCount(USUAL.length);
        assertThat(json)
                .content()
                .contains(
                        "\"schema\" : 1",
                        "\"system_calls_per_piece\"",
                        "\"contender\" : \"robber-buffer\"",
                        "\"met\" : ");
        assertThat(data).isEmptyDirectory();
    }

    @Test
    void namesWhatAProcessSaidThatFailed() throws IOException {
        Path data = Files.createDirectory(folder.resolve("data"));
        assertThatThrownBy(() -> run(
                        "--cases=1:64K",
                        "--contenders=plain-file",
                        "--directory=" + data,
                        "--class-archive=off",
                        "--jvm-flags=-XX:NoSuchFlag=1"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("exit code 1")
                .hasMessageContaining("NoSuchFlag");
        assertThat(data).isEmptyDirectory();
    }

    @Test
    void refusesDataThatDoesNotFit() {
        assertThatThrownBy(() -> run("--cases=9999:100G", "--contenders=plain-file", "--directory=" + folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("9999:100G needs");
    }

    private List<CaseResult> run(String... arguments) throws IOException {
        return new Loopback(LoopbackOptions.parse(arguments), new PrintStream(results), new PrintStream(progress))
                .run();
    }

    private static void isPlausible(RunFigures figures) {
        assertThat(figures.seconds()).isPositive();
        assertThat(figures.secondsFromLaunch()).isGreaterThan(figures.seconds());
        assertThat(figures.gigabytesPerSecond()).isPositive();
        assertThat(figures.processCpuSeconds()).isGreaterThanOrEqualTo(figures.transferCpuSeconds());
        assertThat(figures.receiverResidentBytes()).isGreaterThan(1 << 20);
    }
}
