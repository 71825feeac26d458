package org.robber.emulation.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.emulation.experiment.Bound;
import org.robber.emulation.experiment.MeasuredRun;
import org.robber.emulation.report.RecoveryText;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.scenario.ScenarioReader;

class RecoveryTest {
    private static final ClusterPair THERE = new ClusterPair(0, 1);
    private static final ClusterPair BACK = new ClusterPair(1, 0);
    private static final long HALF_SECOND = 500_000_000;

    private static Scenario scenario(String phases) {
        return ScenarioReader.parse("test", """
                {"name": "test", "root": "A/0",
                 "clusters": [{"name": "A", "nodes": 1}, {"name": "B", "nodes": 1}],
                 "links": {"A-B": {"mbps": 10, "delay_ms": 50}, "B-A": {"mbps": 10, "delay_ms": 50}},
                 "phases": [PHASES]}""".replace("PHASES", phases));
    }

    /** A run with these bytes in each half second, in thousands. */
    private static RunResult run(String phases, int... there) {
        ImmutableList.Builder<Long> totals = ImmutableList.<Long>builder().add(0L);
        long total = 0;
        for (int thousands : there) {
            total += thousands * 1000L;
            totals.add(total);
        }
        ImmutableList<Long> nothing = ImmutableList.copyOf(Collections.nCopies(there.length + 1, 0L));
        Scenario scenario = scenario(phases);
        Timeline timeline = new Timeline(
                HALF_SECOND, ImmutableList.of(), ImmutableSortedMap.of(THERE, totals.build(), BACK, nothing));
        return new RunResult(
                scenario,
                Backend.SIMULATOR,
                "robber",
                1,
                total,
                1000,
                "",
                ImmutableList.of(NodeRun.idle(0), NodeRun.idle(1)),
                ImmutableSortedMap.of(),
                ImmutableSortedMap.of(),
                -1,
                timeline,
                /* besideNanos= */ ImmutableList.of(),
                Recovery.of(scenario, timeline));
    }

    private static final String BURST = """
            {"at": 3, "links": {"A-B": {"loss": 0.05}}}, {"at": 4, "links": {"A-B": {"loss": 0}}}""";

    @Test
    void itIsTheTimeUntilALinkIsAsBusyAsBefore() {
        // 1 MB in each half second before; then one without, and four until it is there again
        RunResult run = run(BURST, 500, 900, 1000, 1000, 1000, 1000, 20, 0, 100, 300, 500, 950, 890, 1000, 1000);
        assertThat(run.recoveries())
                .containsExactly(new Recovery(THERE, 3_000_000_000L, 4_000_000_000L, 3 * HALF_SECOND));
        assertThat(new MeasuredRun(run, Bound.UNKNOWN).recoverySeconds()).isEqualTo(1.5);
        assertThat(RecoveryText.lines(run))
                .containsExactly("A-B, good again at 4.0 s, was as busy as before after 1.50 s");
    }

    @Test
    void aRunMayEndBeforeThat() {
        RunResult run = run(BURST, 1000, 1000, 1000, 1000, 1000, 1000, 20, 0, 100, 300, 500, 950);
        assertThat(run.recoveries()).containsExactly(new Recovery(THERE, 3_000_000_000L, 4_000_000_000L, -1));
        assertThat(new MeasuredRun(run, Bound.UNKNOWN).recoverySeconds()).isNaN();
        assertThat(RecoveryText.lines(run).get(0)).contains("was not as busy as before until the end");
    }

    @Test
    void aBreakInTwoStepsIsOneHarmOfEachStep() {
        String steps = """
                {"at": 1, "links": {"A-B": {"mbps": 5}}}, {"at": 2, "links": {"A-B": {"mbps": 0}}},
                {"at": 3, "links": {"A-B": {"mbps": 10}}}""";
        RunResult run = run(steps, 1000, 1000, 500, 500, 0, 0, 1000, 1000, 1000);
        assertThat(run.recoveries())
                .extracting(Recovery::harmedNanos, Recovery::healedNanos, Recovery::nanos)
                .containsExactly(tuple(1_000_000_000L, 3_000_000_000L, 0L), tuple(2_000_000_000L, 3_000_000_000L, 0L));
    }

    @Test
    void whatNeverHealsOrCarriedNothingOrWasOverHasNone() {
        List<String> none = List.of(
                "{\"at\": 1, \"links\": {\"A-B\": {\"mbps\": 5}}}, {\"at\": 2, \"links\": {\"A-B\": {\"mbps\": 7}}}",
                "{\"at\": 1, \"links\": {\"B-A\": {\"mbps\": 5}}}, {\"at\": 2, \"links\": {\"B-A\": {\"mbps\": 10}}}",
                "{\"at\": 1, \"links\": {\"A-B\": {\"mbps\": 5}}}, {\"at\": 9, \"links\": {\"A-B\": {\"mbps\": 10}}}",
                "{\"at\": 1, \"links\": {\"A-B\": {\"mbps\": 50}}}, {\"at\": 2, \"links\": {\"A-B\": {\"mbps\": 50}}}");
        for (String phases : none) {
            assertThat(run(phases, 1000, 1000, 1000, 1000, 1000, 1000).recoveries())
                    .isEmpty();
        }
    }

    @Test
    void aShortTimelineKeepsThem() {
        RunResult run = run(BURST, 1000, 1000, 1000, 1000, 1000, 1000, 20, 0, 1000, 1000);
        assertThat(run.recoveries()).isNotEmpty();
        assertThat(run.withTimeline(run.timeline().inShort(3)).recoveries()).isEqualTo(run.recoveries());
    }
}
