package org.robber.emulation.testbed.calibration;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.scenario.ScenarioReader;

class CalibrationPlanTest {

    @Test
    void linksThatShareNothingAreMeasuredTogetherByOneNodeOfEachCluster() {
        ImmutableList<ImmutableList<Flow>> rounds = plan("tc1_fast_links");

        assertThat(rounds).hasSize(1);
        assertThat(rounds.get(0)).hasSize(12).allSatisfy(flow -> {
            assertThat(flow.senders()).hasSize(1);
            assertThat(flow.receivers()).hasSize(1);
            assertThat(flow.roundTripNanos()).isEqualTo(20_000_000);
        });
        assertThat(rounds.get(0).get(1).pair()).isEqualTo(new ClusterPair(0, 2));
        assertThat(rounds.get(0).get(1).wantedBytesPerSecond()).isEqualTo(3e6);
    }

    @Test
    void cardsThatAreSlowerThanTheLinkSayWhatIsWanted() {
        ImmutableList<ImmutableList<Flow>> rounds = plan("tc3_local_k4");

        assertThat(rounds.stream().mapToInt(List::size).sum()).isEqualTo(12);
        for (ImmutableList<Flow> round : rounds) {
            assertThat(round).allSatisfy(flow -> {
                assertThat(flow.wantedBytesPerSecond()).isEqualTo(44.8e6);
                assertThat(flow.senders()).hasSize(4);
            });
            assertThat(round.stream().map(flow -> flow.pair().from())).doesNotHaveDuplicates();
            assertThat(round.stream().map(flow -> flow.pair().to())).doesNotHaveDuplicates();
        }
    }

    @Test
    void fastNodesMeasureTheLinksOfClustersThatHaveSlowOnes() {
        ImmutableList<ImmutableList<Flow>> rounds = plan("tc2_large_slow_nodes");

        assertThat(rounds).hasSize(1);
        assertThat(rounds.get(0)).hasSize(30).allSatisfy(flow -> {
            assertThat(flow.wantedBytesPerSecond()).isBetween(1e6, 4e6);
            assertThat(flow.senders()).allMatch(rank -> rank % 16 < 12);
        });
    }

    @Test
    void accessLinksAreNotShared() {
        ImmutableList<ImmutableList<Flow>> rounds = plan("sc05_fig2");

        assertThat(rounds.stream().mapToInt(List::size).sum()).isEqualTo(6);
        for (ImmutableList<Flow> round : rounds) {
            for (int cluster = 0; cluster < 3; cluster++) {
                int sender = cluster;
                assertThat(round.stream()
                                .filter(flow -> flow.pair().from() == sender)
                                .mapToDouble(Flow::wantedBytesPerSecond)
                                .sum())
                        .isLessThanOrEqualTo(10e6);
            }
        }
    }

    @Test
    void threePercentAreAllowed() {
        LinkMeasurement right = new LinkMeasurement(new ClusterPair(0, 1), 10e6, 9.71e6, 20_000_000, 20_590_000);
        assertThat(right.isRateRight()).isTrue();
        assertThat(right.isRoundTripRight()).isTrue();
        assertThat(right.text("A-B")).isEqualTo("A-B: 9.710 MB/s of 10.000, round trip 20.59 ms of 20.00");

        LinkMeasurement wrong = new LinkMeasurement(new ClusterPair(0, 1), 10e6, 10.31e6, 100_000_000, 96_900_000);
        assertThat(wrong.isRateRight()).isFalse();
        assertThat(wrong.isRoundTripRight()).isFalse();
    }

    private static ImmutableList<ImmutableList<Flow>> plan(String name) {
        Scenario scenario = ScenarioReader.read(Path.of("scenarios", name + ".json"));
        return new CalibrationPlan(scenario).rounds();
    }
}
