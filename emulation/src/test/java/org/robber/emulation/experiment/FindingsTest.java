package org.robber.emulation.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.emulation.report.WanCopiesText;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.run.Timeline;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.Collective;
import org.robber.emulation.scenario.Scenario;

class FindingsTest {

    @Test
    void clustersCountThatDataHaveToEnter() {
        Scenario scenario = HandMade.scenario("x", 2, 3);
        assertThat(Collective.MULTICAST.isAllIn(scenario, 0)).isTrue();
        assertThat(Collective.STRIPING.isAllIn(scenario, 0)).isTrue();
        assertThat(Collective.SCATTER.isAllIn(scenario, 1)).isFalse();
        assertThat(Collective.MULTI_ROOT.isAllIn(scenario, 1)).isTrue();
        assertThat(Collective.ALLREDUCE.isAllIn(scenario, 0)).isFalse();

        RunResult gather = entering(scenario, 0, 300_000_000);
        assertThat(new MeasuredRun(gather, new Bound(Collective.GATHER, 40, 30, true, 0.5)).mostWanCopies())
                .isEqualTo(0.5);
        assertThat(new MeasuredRun(gather, new Bound(40, 30, true, 5)).mostWanCopies())
                .isZero();
        assertThat(WanCopiesText.of(scenario, Collective.GATHER, gather::wanCopies, "=", " "))
                .isEqualTo("A=0.500 B=0.000");
    }

    /** A run in which so many bytes entered a cluster from the other one. */
    private static RunResult entering(Scenario scenario, int cluster, long bytes) {
        return HandMade.withStolen(
                HandMade.run(scenario, "robber", 1, 50),
                ImmutableSortedMap.of(new ClusterPair(1 - cluster, cluster), bytes));
    }

    @Test
    void figuresOfARunAreItsShareOfTheBound() {
        Scenario scenario = HandMade.scenario("x", 3, 2);
        MeasuredRun run = new MeasuredRun(HandMade.run(scenario, "robber", 1, 50), new Bound(40, 30, true, 5));

        assertThat(run.seconds()).isEqualTo(50);
        assertThat(run.bytesPerSecond()).isEqualTo(12e6);
        assertThat(run.shareOfAdapt()).isEqualTo(0.8);
        assertThat(run.shareOfStore()).isEqualTo(0.6);
        assertThat(run.mostWanCopies()).isEqualTo(1.01);
        assertThat(run.controlBytes()).isEqualTo(360_000);
        assertThat(run.controlShare()).isEqualTo(360_000 / 3e9);
        assertThat(run.stolenPieces()).isEqualTo(500);
        assertThat(run.slowestRank()).isEqualTo(5);
    }

    @Test
    void runsThatAreNotCompleteHaveNoTimeAndCountForNoMean() {
        Scenario scenario = HandMade.scenario("x", 3, 2);
        MeasuredRun good = new MeasuredRun(HandMade.run(scenario, "robber", 1, 50), new Bound(40, 30, true, 5));
        MeasuredRun bad =
                new MeasuredRun(HandMade.run(scenario, "robber", 2, 50, "rank 5 crashed"), new Bound(40, 30, true, 5));

        assertThat(bad.seconds()).isNaN();
        assertThat(bad.shareOfAdapt()).isNaN();
        assertThat(bad.slowestRank()).isEqualTo(-1);
        Summary summary = Summary.of("x", "robber", List.of(good, bad));
        assertThat(summary.runs()).isEqualTo(2);
        assertThat(summary.complete()).isEqualTo(1);
        assertThat(summary.shareOfAdapt().mean()).isEqualTo(0.8);
    }

    @Test
    void overheadIsWhatWasSentBeyondOneCopyForEachReceiver() {
        Scenario scenario = HandMade.scenario("x", 3, 2);
        MeasuredRun run = new MeasuredRun(
                HandMade.withCpu(HandMade.run(scenario, "robber", 1, 50), 6_000_000_000L), new Bound(40, 30, true, 5));

        assertThat(run.overhead()).isEqualTo((3e9 + 360_000) / 3e9 - 1);
        assertThat(run.cpuSeconds()).isEqualTo(6);
        assertThat(run.cpuSecondsPerGigabyte()).isEqualTo(2);
        MeasuredRun unmeasured = new MeasuredRun(HandMade.run(scenario, "robber", 1, 50), Bound.UNKNOWN);
        assertThat(unmeasured.cpuSecondsPerGigabyte()).isNaN();
    }

    @Test
    void aRunThatEndsAfterTheDeadlineIsLateAndCountsForNoMean() {
        Scenario scenario = HandMade.scenario("x", 3, 2);
        MeasuredRun inTime = new MeasuredRun(HandMade.run(scenario, "robber", 1, 50), new Bound(40, 30, true, 5), 50);
        MeasuredRun late = new MeasuredRun(HandMade.run(scenario, "robber", 2, 51), new Bound(40, 30, true, 5), 50);

        assertThat(inTime.status()).isEqualTo(MeasuredRun.Status.COMPLETE);
        assertThat(late.status()).isEqualTo(MeasuredRun.Status.LATE);
        Summary summary = Summary.of("x", "robber", List.of(inTime, late));
        assertThat(summary.complete()).isEqualTo(2);
        assertThat(summary.succeeded()).isEqualTo(1);
        assertThat(summary.robustness()).isEqualTo(0.5);
        assertThat(summary.seconds().mean()).isEqualTo(50);
        assertThat(summary.wanCopies()).hasSize(3);
        assertThat(summary.wanCopies().get(2).mean()).isEqualTo(1.01);
    }

    @Test
    void deadlinesAreTimesOrMultiplesOfTheBound() {
        assertThat(new Deadline(90, false).seconds(new Bound(40, 30, true, 5))).isEqualTo(90);
        assertThat(new Deadline(3, true).seconds(new Bound(40, 30, true, 5))).isEqualTo(120);
        assertThat(new Deadline(3, true).seconds(Bound.UNKNOWN)).isInfinite();
        assertThat(Deadline.NONE.seconds(new Bound(40, 30, true, 5))).isInfinite();
    }

    @Test
    void findingsDoNotDependOnWhichRunWasThroughFirst() {
        Findings findings = HandMade.example();
        List<RunResult> results = new ArrayList<>();
        findings.runs().forEach(run -> results.add(0, run.run()));

        assertThat(Findings.of(findings.setting(), results)).isEqualTo(findings);
    }

    @Test
    void seedBySeedComparesStrategiesFromTheBeginning() {
        Scenario scenario = HandMade.scenario("x", 3, 2);

        assertThat(RunPlan.seedBySeed(List.of(scenario), List.of("robber", "mob"), 7, 2))
                .extracting(RunPlan::toString)
                .containsExactly("x, robber, seed 7", "x, mob, seed 7", "x, robber, seed 8", "x, mob, seed 8");
    }

    @Test
    void aTimelineInShortKeepsWhereItEnds() {
        Timeline timeline =
                HandMade.run(HandMade.scenario("x", 2, 1), "robber", 1, 5).timeline();

        assertThat(timeline.receivedBytes()).hasSize(11).last().isEqualTo(HandMade.DATA_BYTES);
        Timeline brief = timeline.inShort(4);
        assertThat(brief.intervalNanos()).isEqualTo(1_500_000_000);
        assertThat(brief.receivedBytes())
                .containsExactly(0L, 180_000_000L, 360_000_000L, 540_000_000L, HandMade.DATA_BYTES);
        assertThat(brief.nodeBytes()).isEmpty();
        assertThat(brief.inShort(100)).isEqualTo(brief);
        assertThat(new Timeline(1, ImmutableList.of(), timeline.linkBytes())
                        .inShort(4)
                        .receivedBytes())
                .isEmpty();
    }

    @Test
    void publishedFiguresAreThoseOfTheTable() {
        assertThat(PublishedFigures.percent("tc1_fast_to_slow", "robber")).hasValue(85);
        assertThat(PublishedFigures.percent("tc1_mayhem", "balanced")).hasValue(55);
        assertThat(PublishedFigures.percent("tc1_slow_to_fast", "bittorrent")).hasValue(18);
        assertThat(PublishedFigures.percent("tc3_local_k4", "robber")).isEmpty();
    }
}
