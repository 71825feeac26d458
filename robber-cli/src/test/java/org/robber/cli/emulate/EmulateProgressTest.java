package org.robber.cli.emulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.cli.progress.ProgressMode;
import org.robber.cli.progress.StatusConsole;
import org.robber.cli.report.ReportSchema;
import org.robber.emulation.experiment.Bound;
import org.robber.emulation.experiment.MeasuredRun;
import org.robber.emulation.experiment.RunPlan;
import org.robber.emulation.run.Backend;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.run.Timeline;
import org.robber.emulation.scenario.ScenarioReader;

class EmulateProgressTest {

    private final ImmutableList<RunPlan> plans = RunPlan.seedBySeed(
            ImmutableList.of(ScenarioReader.read(
                    Path.of("").toAbsolutePath().getParent().resolve("emulation/scenarios/sc05_fig2.json"))),
            ImmutableList.of("robber"),
            1,
            4);
    private static final MeasuredRun MEASURED = new MeasuredRun(
            new RunResult(
                    ScenarioReader.read(
                            Path.of("").toAbsolutePath().getParent().resolve("emulation/scenarios/sc05_fig2.json")),
                    Backend.SIMULATOR,
                    "bittorrent:endgame,rarest",
                    3,
                    1000,
                    100,
                    "stuck",
                    ImmutableList.of(),
                    ImmutableSortedMap.of(),
                    ImmutableSortedMap.of(),
                    -1,
                    new Timeline(1, ImmutableList.of(), ImmutableSortedMap.of()),
                    /* besideNanos= */ ImmutableList.of(),
                    /* recoveries= */ ImmutableList.of()),
            Bound.UNKNOWN);

    private final ByteArrayOutputStream screen = new ByteArrayOutputStream();
    private long nowNanos;
    private int columns = 80;

    @Test
    void aBarShowsTheOldestRunThatIsUnderWay() {
        EmulateProgress progress = halfWay(ProgressMode.BAR);
        progress.show();
        progress.end();

        assertThat(screen())
                .isEqualTo("\r\u001b[K[##########..........] 2 of 4 runs done, 1:05, sc05_fig2, robber, seed 3\n");
    }

    @Test
    void aBarIsCutToItsTerminalAndGivesWayToResults() {
        columns = 30;
        EmulateProgress progress = halfWay(ProgressMode.BAR);
        progress.show();
        progress.above(() -> screen.writeBytes("a result\n".getBytes(StandardCharsets.UTF_8)));
        progress.end();

        assertThat(screen()).isEqualTo("\r\u001b[K[##########..........] 2 of 4\r\u001b[Ka result\n");
    }

    @Test
    void plainLinesStay() {
        halfWay(ProgressMode.PLAIN).show();

        assertThat(screen()).isEqualTo("robber-cli: 2 of 4 runs done, 1:05, sc05_fig2, robber, seed 3\n");
    }

    @Test
    void programsGetALineOfJson() {
        halfWay(ProgressMode.JSON).show();

        assertThat(screen())
                .endsWith("{\"schema\":1,\"type\":\"progress\",\"runs_done\":2,\"runs\":4,\"seconds\":65}\n");
    }

    @Test
    void programsHearOfEveryRunAsSoonAsItIsDone() throws IOException {
        halfWay(ProgressMode.JSON).show();
        List<String> lines = screen().lines().toList();
        for (String line : lines) {
            assertThat(ReportSchema.problems(line, "events.schema.json"))
                    .as(line)
                    .isEmpty();
        }

        assertThat(ReportSchema.problems("{\"type\": \"done\", \"seconds\": -1}", "events.schema.json"))
                .as("a time below zero")
                .isNotEmpty();
        // How many lines of progress stand behind them depends on the clock.
        assertThat(lines)
                .filteredOn(line -> line.contains("\"type\":\"run\""))
                .hasSize(2)
                .element(1)
                .isEqualTo("{\"schema\":1,\"type\":\"run\",\"scenario\":\"sc05_fig2\","
                        + "\"strategy\":\"bittorrent:endgame,rarest\",\"seed\":3,\"status\":\"incomplete\","
                        + "\"runs_done\":2,\"runs\":4}");
    }

    @Test
    void runsThatWereDoneBeforeCount() {
        EmulateProgress progress = new EmulateProgress(
                new StatusConsole(new PrintStream(screen, true, StandardCharsets.UTF_8)),
                ProgressMode.PLAIN,
                80,
                () -> nowNanos);
        progress.begin(10, 6);
        progress.started(plans.get(0));
        progress.finished(plans.get(0), MEASURED);
        progress.show();
        progress.end();

        assertThat(screen()).contains("7 of 10 runs done");
    }

    @Test
    void nothingIsShownToWhoWantsNothingOrWhenAllIsDone() {
        halfWay(ProgressMode.NONE).show();
        EmulateProgress done = halfWay(ProgressMode.PLAIN);
        done.finished(plans.get(2), MEASURED);
        done.finished(plans.get(3), MEASURED);
        done.show();

        assertThat(screen()).isEmpty();
    }

    private EmulateProgress halfWay(ProgressMode mode) {
        PrintStream stream = new PrintStream(screen, true, StandardCharsets.UTF_8);
        nowNanos = 0;
        EmulateProgress progress = new EmulateProgress(new StatusConsole(stream), mode, columns, () -> nowNanos);
        progress.begin(plans.size(), 0);
        plans.forEach(progress::started);
        progress.finished(plans.get(0), MEASURED);
        progress.finished(plans.get(1), MEASURED);
        nowNanos = 65_000_000_000L;
        return progress;
    }

    private String screen() {
        return screen.toString(StandardCharsets.UTF_8);
    }
}
