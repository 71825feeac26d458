package org.robber.cli.progress;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.JobControl.JobProgress;
import org.robber.cli.report.ReportSchema;

class ProgressDisplayTest {

    private static final long MIB = 1L << 20;
    private static final long SECOND = 1_000_000_000L;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final StatusConsole console = new StatusConsole(new PrintStream(bytes, true, UTF_8));
    private long nowNanos = 100 * SECOND;

    @Test
    void plainLinesComeEveryThreeSecondsAndAtTheEnd() {
        ProgressDisplay display = new ProgressDisplay(console, ProgressMode.PLAIN, 80, () -> nowNanos);
        for (long second = 0; second <= 7; second++) {
            display.update(progress(second * 100 * MIB, 700 * MIB, (int) second / 4, 2));
            nowNanos += SECOND;
        }
        display.end();

        assertThat(text().lines())
                .containsExactly(
                        "robber-cli:  42%   300 MiB of 700 MiB   100 MiB/s   0:04 left  0/2 nodes done",
                        "robber-cli:  85%   600 MiB of 700 MiB   100 MiB/s   0:01 left  1/2 nodes done",
                        "robber-cli: 100%   700 MiB of 700 MiB   100 MiB/s   0:00 left  1/2 nodes done");
    }

    @Test
    void aStreamHasNoTotal() {
        JobProgress sofar = new JobProgress(300 * MIB, JobProgress.UNKNOWN, 0, 3, List.of());
        for (ProgressMode mode : List.of(ProgressMode.PLAIN, ProgressMode.JSON, ProgressMode.BAR)) {
            ProgressDisplay display = new ProgressDisplay(console, mode, 80, () -> nowNanos);
            display.start(JobProgress.UNKNOWN);
            nowNanos += 3 * SECOND;
            display.update(sofar);
            display.end();
        }
        List<String> lines = text().lines().toList();
        assertThat(lines.get(0)).isEqualTo("robber-cli:  300 MiB so far   100 MiB/s  to 3 nodes");
        assertThat(lines.subList(1, 3)).allSatisfy(line -> {
            assertThat(ReportSchema.problems(line, "events.schema.json")).isEmpty();
            assertThat(line).contains("\"bytes_total\":null");
        });
        assertThat(text()).endsWith("300 MiB so far   100 MiB/s  to 3 nodes\n");
    }

    @Test
    void barsFitTheTerminal() {
        ProgressDisplay display = new ProgressDisplay(console, ProgressMode.BAR, 100, () -> nowNanos);
        nowNanos += SECOND;
        display.update(progress(0, 4 * MIB, 0, 3));
        nowNanos += SECOND;
        display.update(progress(MIB, 4 * MIB, 0, 3));
        display.end();

        assertThat(text())
                .isEqualTo("\r\u001b[K[" + ".".repeat(31) + "]   0%       0 B of 4.0 MiB       0 B/s   -:-- left"
                        + "  0/3 nodes done"
                        + "\r\u001b[K[" + "#".repeat(7) + ".".repeat(24) + "]  25%   1.0 MiB of 4.0 MiB   1.0 MiB/s"
                        + "   0:03 left  0/3 nodes done\n");
    }

    @Test
    void narrowTerminalsGetNoBarAndNoSecondLine() {
        ProgressDisplay display = new ProgressDisplay(console, ProgressMode.BAR, 30, () -> nowNanos);
        nowNanos += SECOND;
        display.update(progress(MIB, 4 * MIB, 0, 3));

        assertThat(text()).isEqualTo("\r\u001b[K 25%   1.0 MiB of 4.0 MiB    ");
    }

    @Test
    void jsonLinesNameWhatIsUnknown() {
        ProgressDisplay display = new ProgressDisplay(console, ProgressMode.JSON, 80, () -> nowNanos);
        nowNanos += SECOND;
        display.update(progress(0, 1000, 0, 3));

        assertThat(text())
                .isEqualTo("{\"schema\":1,\"type\":\"progress\",\"bytes_done\":0,\"bytes_total\":1000,"
                        + "\"bytes_per_second\":0,\"seconds_left\":null,\"nodes_done\":0,\"nodes\":3}\n");
    }

    @Test
    void linesForProgramsAreAsTheSchemaSays() throws IOException {
        ProgressDisplay display = new ProgressDisplay(console, ProgressMode.JSON, 80, () -> nowNanos);
        display.start(1000);
        display.lost(2);
        nowNanos += SECOND;
        display.update(progress(500, 1000, 0, 3));

        assertThat(text().lines()).hasSize(3);
        for (String line : text().lines().toList()) {
            assertThat(ReportSchema.problems(line, "events.schema.json"))
                    .as(line)
                    .isEmpty();
        }
    }

    @Test
    void onlyProgramsAreToldOfTheStart() {
        for (ProgressMode mode : new ProgressMode[] {ProgressMode.PLAIN, ProgressMode.BAR, ProgressMode.NONE}) {
            new ProgressDisplay(console, mode, 80, () -> nowNanos).start(1000);
        }
        assertThat(text()).isEmpty();

        new ProgressDisplay(console, ProgressMode.JSON, 80, () -> nowNanos).start(1000);
        assertThat(text()).isEqualTo("{\"schema\":1,\"type\":\"started\",\"bytes_total\":1000}\n");
    }

    @Test
    void noneShowsNothing() {
        ProgressDisplay display = new ProgressDisplay(console, ProgressMode.NONE, 80, () -> nowNanos);
        nowNanos += 10 * SECOND;
        display.update(progress(1, 2, 0, 1));
        display.end();

        assertThat(text()).isEmpty();
    }

    @Test
    void emptyDataIsDoneWhenTheNodesAre() {
        ProgressDisplay display = new ProgressDisplay(console, ProgressMode.PLAIN, 80, () -> nowNanos);
        display.update(progress(0, 0, 3, 3));
        display.end();

        assertThat(text()).isEqualTo("robber-cli: 100%       0 B of 0 B       0 B/s   0:00 left  3/3 nodes done\n");
    }

    /** A peer, or the name of a host, could draw over what others have said. */
    @Test
    void controlCharactersOfTextsDoNotReachTheTerminal() {
        console.line("a\u001b[2Jb\r\u009bc\n\td");
        console.status("\u001b]0;title\u0007");

        assertThat(text()).isEqualTo("a\\u001b[2Jb\\u000d\\u009bc\\n\td\n\r\u001b[K\\u001b]0;title\\u0007");
    }

    @Test
    void linesGoAboveTheBar() {
        console.status("bar");
        console.line("line");
        console.endStatus();
        console.line("after");

        assertThat(text()).isEqualTo("\r\u001b[Kbar\r\u001b[Kline\nbar\nafter\n");
    }

    @Test
    void ratesFollowTheLastSeconds() {
        RateMeter rate = new RateMeter();
        assertThat(rate.bytesPerSecond()).isZero();
        rate.record(0, 0);
        assertThat(rate.bytesPerSecond()).isZero();
        rate.record(SECOND, 1000);
        assertThat(rate.bytesPerSecond()).isEqualTo(1000);
        for (int second = 2; second <= 20; second++) {
            rate.record(second * SECOND, 1000);
        }
        assertThat(rate.bytesPerSecond())
                .as("stalled for longer than the window")
                .isZero();
    }

    @Test
    void sizesKeepThreeDigits() {
        assertThat(List.of(0L, 999L, 1000L, 1023L, 1024L, 1536L, 102_400L, 1L << 30, 5L << 40))
                .map(ByteText::bytes)
                .containsExactly(
                        "0 B", "999 B", "1.0 KiB", "1.0 KiB", "1.0 KiB", "1.5 KiB", "100 KiB", "1.0 GiB", "5.0 TiB");
        assertThat(ByteText.time(7)).isEqualTo("0:07");
        assertThat(ByteText.time(125)).isEqualTo("2:05");
        assertThat(ByteText.time(3723)).isEqualTo("1:02:03");
    }

    private static JobProgress progress(long done, long total, int nodesDone, int nodes) {
        return new JobProgress(done, total, nodesDone, nodes, List.of());
    }

    private String text() {
        return bytes.toString(UTF_8);
    }
}
