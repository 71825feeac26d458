package org.robber.emulation.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.robber.core.random.SeededRuns;
import org.robber.emulation.experiment.HandMade;
import org.robber.emulation.scenario.ClusterSpec;
import org.robber.emulation.scenario.Collective;
import org.robber.emulation.scenario.NicScope;
import org.robber.emulation.scenario.Origin;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.scenario.ScenarioFamily;
import org.robber.emulation.scenario.ScenarioReader;
import org.robber.emulation.simulator.Drawings;

class CollectiveBoundTest {
    private static final long BYTES = 100_000_000;

    /** Without access lines: the least width of all cuts, found by trying every set of clusters. */
    @Test
    void isTheWidestTimeOfAnyCut() {
        SeededRuns.run(100, random -> {
            Scenario scenario = ScenarioFamily.steady().draw(random.nextLong());
            for (Collective collective : EnumSet.range(Collective.MULTICAST, Collective.ALLGATHER)) {
                assertThat(CollectiveBound.of(scenario, collective, BYTES).seconds())
                        .as("%s of %s", collective, scenario)
                        .isCloseTo(slowestCut(scenario, collective), within(1e-6));
            }
        });
    }

    private static double slowestCut(Scenario scenario, Collective collective) {
        ClusterNetwork network = ClusterNetwork.of(scenario, scenario.phases().get(0));
        double[] shares = collective.sharesByCluster(scenario);
        double slowest = 0;
        for (int inside = 1; inside < 1 << network.size(); inside++) {
            double possessed = 0;
            double perSecond = 0;
            for (int cluster = 0; cluster < network.size(); cluster++) {
                possessed += (inside >> cluster & 1) * shares[cluster];
            }
            for (ClusterNetwork.Arc arc : network.arcs()) {
                perSecond += (inside >> arc.to() & 1) * (1 - (inside >> arc.from() & 1)) * arc.rate();
            }
            double missing = Math.max(0, 1 - possessed - 1e-9) * BYTES;
            slowest = Math.max(slowest, missing == 0 ? 0 : missing / perSecond);
        }
        return slowest;
    }

    @Test
    void aMulticastHasTheBoundOfMulticasts() {
        SeededRuns.run(50, random -> {
            Scenario scenario = ScenarioFamily.steady().draw(random.nextLong());
            assertThat(CollectiveBound.of(scenario, Collective.MULTICAST, BYTES).seconds())
                    .isCloseTo(TheoreticalBound.of(scenario).adaptSeconds(BYTES), within(1e-6));
        });
    }

    /** It may be slower than a strategy that lets clusters store what a fast link brings early. */
    @Test
    void anOptimumThatDoesNotLookAheadHasTheBestRateOfEachMoment() {
        ScenarioFamily changing = new ScenarioFamily(6, 8, 2e6, 20e6, 20_000_000, 0, 1, 0, 0, 4, 5_000_000_000L);
        SeededRuns.run(50, random -> {
            Scenario scenario = changing.draw(random.nextLong());
            assertThat(CollectiveBound.adapting(scenario, Collective.MULTICAST, BYTES)
                            .seconds())
                    .isCloseTo(TheoreticalBound.of(scenario).adaptSeconds(BYTES), within(1e-6));
            for (Collective collective : Collective.values()) {
                assertThat(CollectiveBound.adapting(scenario, collective, BYTES).seconds())
                        .as("%s of %s", collective, scenario)
                        .isGreaterThanOrEqualTo(
                                CollectiveBound.of(scenario, collective, BYTES).seconds() - 1e-6);
            }
        });
    }

    /** The routes between clusters are looked at, too, where a card is slower than each cut. */
    @Test
    void aSlowCardMakesNoCallForPartsFaster() {
        SeededRuns.run(30, random -> {
            Scenario scenario = ScenarioFamily.steady().draw(random.nextLong());
            double seconds =
                    CollectiveBound.of(scenario, Collective.ALLTOALL, BYTES).seconds();
            int nodes = scenario.nodeCount();
            double card = BYTES * (nodes - 1.0) / nodes / nodes / (0.999 * seconds);
            if (scenario.clusters().get(0).nodes() > 1 && Double.isFinite(card)) {
                Scenario slowed = withCard(scenario, card);
                assertThat(CollectiveBound.of(slowed, Collective.ALLTOALL, BYTES)
                                .seconds())
                        .isGreaterThanOrEqualTo(seconds * (1 - 1e-9));
            }
        });
    }

    /** With this rate of the first node's card. */
    private static Scenario withCard(Scenario scenario, double bytesPerSecond) {
        ClusterSpec first = scenario.clusters().get(0);
        List<Double> up = new ArrayList<>(first.nodeUp());
        up.set(0, bytesPerSecond);
        List<ClusterSpec> clusters = new ArrayList<>(scenario.clusters());
        clusters.set(
                0,
                new ClusterSpec(
                        first.name(),
                        first.nodes(),
                        first.accessUp(),
                        first.accessDown(),
                        ImmutableList.copyOf(up),
                        first.nodeDown(),
                        NicScope.ALL,
                        first.lanUp(),
                        first.lanDown(),
                        first.lan()));
        return Drawings.of(scenario.phases().get(0), clusters.toArray(ClusterSpec[]::new));
    }

    /** Bytes that no cluster can pass on for another leave a root over its own links. */
    @Test
    void aScatterTakesAsLongAsTheSlowestOfAllCuts() {
        Scenario scenario = HandMade.scenario("x", 3, 2);
        // Each of 4 other nodes gets a sixth of the data: 2 links of 10 MB/s for two thirds of 90 MB.
        CollectiveBound scatter = CollectiveBound.of(scenario, Collective.SCATTER, 90_000_000);
        assertThat(scatter).isEqualTo(new CollectiveBound(3, false));
        assertThat(CollectiveBound.of(scenario, Collective.GATHER, 90_000_000).seconds())
                .isEqualTo(3);
        // Each pair of clusters exchanges a ninth.
        assertThat(CollectiveBound.of(scenario, Collective.ALLTOALL, 90_000_000).seconds())
                .isEqualTo(1);
    }

    @Test
    void aCallForPartsTakesAsLongAsOverTheBestRoutes() {
        SeededRuns.run(30, random -> {
            Scenario scenario = ScenarioFamily.steady().draw(random.nextLong());
            for (Collective collective : EnumSet.of(Collective.SCATTER, Collective.GATHER, Collective.ALLTOALL)) {
                CollectiveBound bound = CollectiveBound.of(scenario, collective, BYTES);
                assertThat(bound.seconds())
                        .as("%s of %s", collective, scenario)
                        .isCloseTo(RouteProgram.seconds(scenario, collective, BYTES), withinPercentage(0.01));
            }
        });
    }

    /** Where the LAN is a network of its own. */
    @Test
    void matesCarryWhatACardIsTooSlowFor() {
        String cluster = """
                {"name": "%s", "nodes": 3, "node_up": [10, 10, 1], "node_down": [10, 10, 1], "nic": "%s"}""";
        for (String nic : List.of("wan", "all")) {
            Scenario scenario = ScenarioReader.parse(
                    "cards.json", """
                    {"name": "cards", "root": "A/0", "clusters": [%s, %s],
                    "links": {"A-B": {"mbps": 10, "delay_ms": 1}, "B-A": {"mbps": 10, "delay_ms": 1}}}""".formatted(cluster.formatted("A", nic), cluster.formatted("B", nic)));
            // 30 MB leave each node for the other cluster and 20 for mates, and 90 MB leave each cluster.
            assertThat(CollectiveBound.of(scenario, Collective.ALLTOALL, 360_000_000)
                            .seconds())
                    .as(nic)
                    .isCloseTo(nic.equals("wan") ? 9 : 50, within(1e-9));
        }
    }

    /** A LAN of cards that carry all traffic, 10 MB/s each, and 80 MB. */
    @ParameterizedTest
    @CsvSource({
        // each gets 60 MB
        "STRIPING, 6",
        "ALLGATHER, 6",
        // in one cluster there is one root, which sends everything
        "MULTI_ROOT, 8",
        // three parts of 20 MB leave the root
        "SCATTER, 6",
        "GATHER, 6",
        // three parts of 5 MB
        "ALLTOALL, 1.5"
    })
    void cardsCarryWhatStaysInTheCluster(Collective collective, double seconds) {
        ClusterSpec lan = Drawings.cluster("A", 4, 10e6, NicScope.ALL);
        Scenario scenario = Drawings.of(Drawings.links(new double[1][1], 0), lan);
        CollectiveBound bound = CollectiveBound.of(scenario, collective, 80_000_000);
        assertThat(bound.seconds()).isCloseTo(seconds, within(1e-6));
        assertThat(bound.isProven()).isFalse();
    }

    /** More have too many cuts to look at. */
    @Test
    void aReductionOfUpToSixteenClustersIsProven() {
        for (int clusters : new int[] {16, 17}) {
            double[][] rates = new double[clusters][clusters];
            for (double[] row : rates) {
                Arrays.fill(row, 10);
            }
            ClusterSpec[] specs = IntStream.range(0, clusters)
                    .mapToObj(index -> Drawings.cluster("C" + index, 1))
                    .toArray(ClusterSpec[]::new);
            Scenario scenario = Drawings.of(Drawings.links(rates, 0), specs);
            assertThat(CollectiveBound.of(scenario, Collective.REDUCE, BYTES).isProven())
                    .isEqualTo(clusters == 16);
        }
    }

    @Test
    void alltoallReachesItsSlowestCutHere() {
        // 37.5 MB for each pair of clusters: 21 MB/s between the first two clusters and the others carry four pairs.
        CollectiveBound bound = CollectiveBound.of(Drawings.testCaseOne(4), Collective.ALLTOALL, 600_000_000);
        assertThat(bound.isProven()).isTrue();
        assertThat(bound.seconds()).isCloseTo(4 * 37.5 / 21, within(1e-6));
    }

    /** Links are as fast in both directions in some networks, and not in others. */
    @Test
    void aReductionTakesAsLongAsWithAllTrees() {
        SeededRuns.run(20, random -> {
            Scenario scenario = ScenarioFamily.steady().draw(random.nextLong());
            Scenario symmetric = symmetric(scenario);
            for (Collective collective : EnumSet.of(Collective.REDUCE, Collective.REDUCESCATTER)) {
                assertThat(CollectiveBound.of(scenario, collective, BYTES).seconds())
                        .as("%s of %s", collective, scenario)
                        .isCloseTo(ReductionTrees.seconds(scenario, collective, BYTES), withinPercentage(0.01));
            }
            assertThat(CollectiveBound.of(symmetric, Collective.ALLREDUCE, BYTES)
                            .seconds())
                    .as("%s", symmetric)
                    .isCloseTo(ReductionTrees.seconds(symmetric, Collective.ALLREDUCE, BYTES), withinPercentage(0.01));
            assertThat(CollectiveBound.of(scenario, Collective.ALLREDUCE, BYTES).seconds())
                    .as("%s", scenario)
                    .isLessThanOrEqualTo(1.0001 * ReductionTrees.seconds(scenario, Collective.ALLREDUCE, BYTES));
        });
    }

    private static Scenario symmetric(Scenario scenario) {
        int clusters = scenario.clusters().size();
        double[][] megabytesPerSecond = new double[clusters][clusters];
        scenario.phases()
                .get(0)
                .links()
                .forEach((pair, spec) -> megabytesPerSecond[pair.from()][pair.to()] = spec.bytesPerSecond() / 1e6);
        return new Scenario(
                "symmetric",
                "",
                Origin.GENERATED,
                scenario.root(),
                scenario.clusters(),
                ImmutableList.of(Drawings.links(megabytesPerSecond, 0)));
    }

    @Test
    void reductionsOfEqualClustersHaveAClosedForm() {
        Scenario scenario = HandMade.scenario("x", 3, 2);
        // 2 copies of 90 MB, 3 times, over 6 links of 10 MB/s.
        assertThat(CollectiveBound.of(scenario, Collective.ALLREDUCE, 90_000_000)
                        .seconds())
                .isEqualTo(6);
        assertThat(CollectiveBound.of(scenario, Collective.REDUCE, 90_000_000).seconds())
                .isEqualTo(4.5);
        // Two thirds of the vector, over 2 links.
        assertThat(CollectiveBound.of(scenario, Collective.REDUCESCATTER, 90_000_000)
                        .seconds())
                .isCloseTo(3, within(1e-9));
        // One vector leaves the first cluster.
        assertThat(CollectiveBound.of(scenario, Collective.SCAN, 90_000_000))
                .isEqualTo(new CollectiveBound(4.5, false));
        // Only links have limits here, and 16 MB/s lead into the last cluster and out of it.
        assertThat(CollectiveBound.of(Drawings.testCaseOne(4), Collective.REDUCE, 84_000_000))
                .isEqualTo(new CollectiveBound(5.25, true));
        // All four clusters divided: 37 MB/s in both directions carry 3 vectors each.
        assertThat(CollectiveBound.of(Drawings.testCaseOne(4), Collective.ALLREDUCE, 74_000_000))
                .isEqualTo(new CollectiveBound(6, true));
    }

    @ParameterizedTest
    @EnumSource(Collective.class)
    void aCallOfASingleNodeNeedsNoTime(Collective collective) {
        assertThat(CollectiveBound.of(HandMade.scenario("x", 1, 1), collective, 90_000_000)
                        .seconds())
                .isZero();
    }

    /** Two clusters that need different prefixes of the same clusters. */
    @Test
    void aScanSendsEachPrefixThatIsNeeded() {
        double[][] rates = {{0, 10, 1, 1}, {0, 0, 1, 1}, {0, 0, 0, 10}, {0, 0, 0, 0}};
        ClusterSpec[] clusters = IntStream.range(0, 4)
                .mapToObj(cluster -> Drawings.cluster("C" + cluster, 1))
                .toArray(ClusterSpec[]::new);
        Scenario scenario = Drawings.of(Drawings.links(rates, 0), clusters);
        // The first and the third cluster send one prefix to the second and one to the fourth: 10 + 1 + 1 + 10 MB/s.
        // The first two send one to both others, over 4 MB/s: that takes longer.
        assertThat(CollectiveBound.of(scenario, Collective.SCAN, 44_000_000).seconds())
                .isEqualTo(11);
    }
}
