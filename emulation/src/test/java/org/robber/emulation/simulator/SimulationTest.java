package org.robber.emulation.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.robber.emulation.simulator.Drawings.MILLI;
import static org.robber.emulation.simulator.Drawings.cluster;
import static org.robber.emulation.simulator.Drawings.links;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.robber.core.node.Action;
import org.robber.core.node.NodeSetup;
import org.robber.core.protocol.Message;
import org.robber.core.strategy.Strategies;
import org.robber.core.trace.TraceHash;
import org.robber.emulation.experiment.InitialBandwidths;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.Collective;
import org.robber.emulation.scenario.LinkSpec;
import org.robber.emulation.scenario.NicScope;
import org.robber.emulation.scenario.NodePlace;
import org.robber.emulation.scenario.Origin;
import org.robber.emulation.scenario.Phase;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.simulator.fault.Fault;
import org.robber.emulation.simulator.fault.FaultPlan;
import org.robber.emulation.simulator.network.NetworkOptions;
import org.robber.emulation.simulator.network.NodeSendLimits;

class SimulationTest {
    private static final SimulationOptions SIXTY_MEGABYTES =
            SimulationOptions.of(Strategies.byName("robber"), 1, 60_000_000).withPieceBytes(1 << 16);
    private static final SimulationOptions TWO_MEGABYTES =
            SimulationOptions.of(Strategies.byName("robber"), 1, 2_000_000).withPieceBytes(1 << 14);

    @Test
    void bringsEverythingToEveryNodeNearlyAsFastAsTheBound() {
        RunResult result = Simulation.run(Drawings.testCaseOne(4), SIXTY_MEGABYTES.withPieceBytes(1 << 15));
        assertThat(result.problem()).isEmpty();
        double megabytesPerSecond = result.dataBytes() * 1e3 / result.nanos();
        assertThat(megabytesPerSecond).isBetween(14.8, 16.0);
        for (int cluster = 1; cluster < 4; cluster++) {
            assertThat(result.wanCopies(cluster)).isEqualTo(1);
        }
        long entered =
                result.stolenBytes().values().stream().mapToLong(bytes -> bytes).sum();
        long crossed = result.crossedBytes().values().stream()
                .mapToLong(bytes -> bytes)
                .sum();
        assertThat(entered).isEqualTo(3 * 60_000_000L);
        assertThat((double) crossed).isBetween(1.0 * entered, 1.05 * entered);
        // Nobody steals in the root's cluster, and everybody ends with everything.
        assertThat(result.nodes().get(1).stolenPieces()).isZero();
        assertThat(result.nodes())
                .allSatisfy(node -> assertThat(node.localBytes() + node.outsideBytes())
                        .isEqualTo(node.rank() == 0 ? 0 : 60_000_000));
    }

    @Test
    void aStrategyThatCannotPlanForTheNetworkFailsThisRunAlone() {
        Scenario closed = new Scenario(
                "closed",
                "nothing passes at first",
                Origin.RECONSTRUCTION,
                new NodePlace(0, 0),
                ImmutableList.of(cluster("A", 2), cluster("B", 1)),
                ImmutableList.of(links(new double[][] {{0, 0}, {0, 0}}, MILLI)));
        RunResult result = Simulation.run(
                closed,
                SimulationOptions.of(Strategies.byName("balanced", InitialBandwidths.of(closed)), 3, 1_000_000));
        assertThat(result.problem())
                .startsWith("no plan: by the bandwidths at the start, nothing reaches cluster B from A");
        assertThat(result.isComplete()).isFalse();
        assertThat(result.nanos()).isEqualTo(-1);
        assertThat(result.nodes()).hasSize(3);
        assertThat(result.timeline().nodeBytes()).hasSize(3);
        assertThat(result.strategy()).isEqualTo("balanced");
    }

    @Test
    void aTimelineBeginsWithNothingAndEndsWithEverything() {
        RunResult result = Simulation.run(Drawings.testCaseOne(2), TWO_MEGABYTES.withSampleNanos(10 * MILLI));
        List<Long> bytes = result.timeline().nodeBytes().get(7);
        assertThat(bytes).isSorted().startsWith(0L).endsWith(2_000_000L);
        assertThat((bytes.size() - 1) * result.timeline().intervalNanos()).isGreaterThanOrEqualTo(result.nanos());
        assertThat(result.timeline().linkBytes()).hasSize(12);
    }

    @Test
    void aTimelineOfALongRunGetsCoarserInsteadOfLonger() {
        RunResult result = Simulation.run(Drawings.testCaseOne(2), TWO_MEGABYTES.withSampleNanos(10_000));
        assertThat(result.timeline().nodeBytes().get(0)).hasSizeBetween(500, 1100);
        assertThat(result.timeline().intervalNanos()).isGreaterThan(10_000);
    }

    @Test
    void aRunIsTheSameOnEveryJdk() {
        TraceHash hash = new TraceHash();
        FaultPlan plan = new FaultPlan(ImmutableList.of(new Fault.Stall(20 * MILLI, 2, 30 * MILLI)), 0, 0);
        Simulation.run(
                lossy(),
                SimulationOptions.of(new Relay(), 1, 9_000_000)
                        .withPieceBytes(100_000)
                        .withNetwork(new NetworkOptions(
                                9000,
                                50_000,
                                50_000_000,
                                10,
                                4 << 20,
                                1 << 19,
                                1 << 18,
                                1 << 18,
                                1 << 16,
                                NodeSendLimits.NONE))
                        .withFaults(plan)
                        .withTraceSink(hash));
        assertThat(Long.toHexString(hash.value())).isEqualTo("b40c77cef1297ec3");
    }

    /** A change of one strategy on purpose puts the new value here; the other values must stay. */
    @ParameterizedTest
    @CsvSource({"robber, 1d039c2922a953f2", "bittorrent, 1cd86ed51a52ee5", "balanced, ddf16052b8cd981c"})
    void aStrategyDoesTheSameOnEveryJdk(String strategy, String expected) {
        TraceHash hash = new TraceHash();
        Scenario lossy = lossy();
        FaultPlan plan = new FaultPlan(
                ImmutableList.of(
                        new Fault.Stall(50 * MILLI, 3, 100 * MILLI),
                        new Fault.SlowDown(200 * MILLI, 1, 300 * MILLI, 1e5)),
                0.01,
                0);
        RunResult result = Simulation.run(
                lossy,
                SimulationOptions.of(Strategies.byName(strategy, InitialBandwidths.of(lossy)), 1, 2_000_000)
                        .withPieceBytes(1 << 14)
                        .withFaults(plan)
                        .withTraceSink(hash));
        assertThat(result.problem()).isEmpty();
        assertThat(Long.toHexString(hash.value())).isEqualTo(expected);
    }

    @Test
    void jobsBesideTakeTheirShareOfTheNetwork() {
        Scenario line = Drawings.of(
                new Phase(0, Drawings.bothWays(Drawings.link(10, 5 * MILLI, 0))), cluster("A", 1), cluster("B", 1));
        SimulationOptions options = SimulationOptions.of(Strategies.byName("robber"), 1, 20_000_000);
        RunResult alone = Simulation.run(line, options);
        RunResult shared = Simulation.run(line, options.withJobsBeside(1));
        assertThat(shared.isComplete()).isTrue();
        assertThat((double) shared.nanos() / alone.nanos()).isBetween(1.6, 2.2);
        assertThat(shared.besideNanos())
                .singleElement()
                .satisfies(nanos -> assertThat((double) nanos / shared.nanos()).isBetween(0.8, 1.25));
        // what crossed is of both
        assertThat((double) shared.crossedBytes().get(new ClusterPair(0, 1))).isGreaterThan(30e6);
        assertThat(Simulation.run(line, options.withJobsBeside(1)).nanos()).isEqualTo(shared.nanos());
    }

    private static Scenario lossy() {
        return Drawings.of(
                new Phase(0, Drawings.bothWays(Drawings.link(3, 7 * MILLI, 0.003))),
                cluster("A", 3),
                cluster("B", 2, 2.5e6, NicScope.ALL));
    }

    @Test
    void nodesThatCannotBeReachedAreNamed() {
        Scenario islands = Drawings.of(new Phase(0, ImmutableSortedMap.of()), cluster("A", 2), cluster("B", 1));
        RunResult result = Simulation.run(islands, TWO_MEGABYTES);
        assertThat(result.isComplete()).isFalse();
        assertThat(result.nanos()).isEqualTo(-1);
        assertThat(result.problem())
                .contains("B-0 (rank 2) lacks 123 pieces, the first is 0, and has no outstanding request");
    }

    @Test
    void theOtherDirectionOfALinkIsAskedFor() {
        Scenario oneWay = Drawings.of(
                new Phase(0, ImmutableSortedMap.of(new ClusterPair(0, 1), Drawings.link(1, MILLI, 0))),
                cluster("A", 1),
                cluster("B", 1));
        assertThat(Simulation.run(oneWay, TWO_MEGABYTES).problem())
                .startsWith("connections need both directions: add to links B-A; 1 node waits");
    }

    @Test
    void callsOfPartsNeedALinkBetweenEveryTwoClusters() {
        LinkSpec link = Drawings.link(1, MILLI, 0);
        ImmutableSortedMap.Builder<ClusterPair, LinkSpec> chain = ImmutableSortedMap.naturalOrder();
        for (ClusterPair pair : ClusterPair.all(3)) {
            if (Math.abs(pair.from() - pair.to()) == 1) {
                chain.put(pair, link);
            }
        }
        Scenario scenario =
                Drawings.of(new Phase(0, chain.buildOrThrow()), cluster("A", 1), cluster("B", 1), cluster("C", 1));
        assertThat(Simulation.run(scenario, TWO_MEGABYTES).problem()).isEmpty();
        for (Collective call : List.of(Collective.SCATTER, Collective.ALLREDUCE)) {
            assertThat(Simulation.run(scenario, TWO_MEGABYTES.withCollective(call))
                            .problem())
                    .isEqualTo("no plan: " + call + " needs a link between every two clusters: A and C have none");
        }
    }

    @Test
    void aRunThatHasALongBoundMayTakeMoreThanADay() {
        Scenario slow =
                Drawings.of(links(new double[][] {{0, 20e-6}, {0, 0}}, MILLI), cluster("A", 1), cluster("B", 1));
        assertThat(Simulation.run(slow, TWO_MEGABYTES).problem()).contains("the limit of 86400.0 s is reached");
        assertThat(Simulation.run(slow, TWO_MEGABYTES.withLimitForBound(1e5)).problem())
                .isEmpty();
    }

    @Test
    void aStandstillIsNamed() {
        ImmutableSortedMap<ClusterPair, LinkSpec> broken = Drawings.bothWays(Drawings.link(0, MILLI, 0));
        Scenario scenario =
                Drawings.of(links(new double[][] {{0, 1}, {0, 0}}, MILLI), cluster("A", 1), cluster("B", 1));
        Scenario breaking = new Scenario(
                "test",
                "",
                scenario.origin(),
                scenario.root(),
                scenario.clusters(),
                ImmutableList.of(scenario.phases().get(0), new Phase(1_000 * MILLI, broken)));
        assertThat(Simulation.run(breaking, TWO_MEGABYTES.withLimitNanos(5_000 * MILLI))
                        .problem())
                .startsWith("2 nodes wait when the limit of 5.0 s is reached")
                .containsPattern("B-0 \\(rank 1\\) lacks \\d+ pieces, .*waits for piece \\d+ from A-0 \\(rank 0\\)");
        // The silence is noticed after 5 s: then nobody is asked any more.
        assertThat(Simulation.run(breaking, TWO_MEGABYTES).problem())
                .startsWith("2 nodes wait when no event is left after 6.0 s")
                .contains("has no outstanding request");
    }

    @Test
    void aNodeThatWaitsAloneIsOne() {
        Scenario scenario =
                Drawings.of(links(new double[][] {{0, 1}, {0, 0}}, MILLI), cluster("A", 1), cluster("B", 1));
        FaultPlan plan = new FaultPlan(ImmutableList.of(new Fault.Crash(500 * MILLI, 0)), 0, 10 * MILLI);
        assertThat(Simulation.run(scenario, TWO_MEGABYTES.withFaults(plan)).problem())
                .containsPattern("died as planned; 1 node (waits when|ended without pieces) ");
    }

    @Test
    void aRunThatTakesTooLongIsGivenUp() {
        RunResult result = Simulation.run(Drawings.testCaseOne(2), SIXTY_MEGABYTES.withLimitNanos(1_000 * MILLI));
        assertThat(result.problem()).startsWith("8 nodes wait when the limit of 1.0 s is reached: ");
    }

    @Test
    void whatACrashLeavesUndoneIsNamed() {
        FaultPlan plan = new FaultPlan(ImmutableList.of(new Fault.Crash(50 * MILLI, 7)), 0, 10 * MILLI);
        RunResult result = Simulation.run(Drawings.testCaseOne(2), TWO_MEGABYTES.withFaults(plan));
        assertThat(result.isComplete()).isFalse();
        assertThat(result.problem()).startsWith("D-1 (rank 7) died as planned; ");
        assertThat(result.nodes().get(1).completeNanos()).isPositive();
    }

    /** Each successor of the root waits for the one before it. Whether the last copies are lost does not hang on them. */
    @Test
    void thatTheRootDiedWithItsPiecesIsKnownSoonInALargeCluster() {
        Scenario scenario =
                Drawings.of(links(new double[][] {{0, 1}, {1, 0}}, MILLI), cluster("A", 16), cluster("B", 2));
        FaultPlan plan = new FaultPlan(ImmutableList.of(new Fault.Crash(1, 0)), 0, 10 * MILLI);
        assertThat(Simulation.run(scenario, TWO_MEGABYTES.withFaults(plan).withLimitNanos(4_000 * MILLI))
                        .problem())
                .startsWith("A-0 (rank 0) died as planned; 17 nodes ended without pieces that cannot come: ");
    }

    @Test
    void stallsAndPartitionsDelayTheEnd() {
        long before = Simulation.run(Drawings.testCaseOne(2), TWO_MEGABYTES).nanos();
        FaultPlan stall = new FaultPlan(ImmutableList.of(new Fault.Stall(0, 0, 3_000 * MILLI)), 0, 0);
        RunResult stalled = Simulation.run(Drawings.testCaseOne(2), TWO_MEGABYTES.withFaults(stall));
        assertThat(stalled.problem()).isEmpty();
        assertThat(stalled.nanos()).isGreaterThan(before + 2_500 * MILLI);
        FaultPlan slow = new FaultPlan(ImmutableList.of(new Fault.SlowDown(0, 7, 10_000 * MILLI, 10_000)), 0, 0);
        RunResult slowed = Simulation.run(Drawings.testCaseOne(2), TWO_MEGABYTES.withFaults(slow));
        assertThat(slowed.problem()).isEmpty();
        assertThat(slowed.nanos()).isGreaterThan(10_000 * MILLI);
    }

    @Test
    void aSlowCardThatHadNoLimitPassesDataAllTheTime() {
        FaultPlan slow = new FaultPlan(ImmutableList.of(new Fault.SlowDown(0, 7, 60_000 * MILLI, 1e6)), 0, 0);
        RunResult slowed = Simulation.run(Drawings.testCaseOne(2), TWO_MEGABYTES.withFaults(slow));
        assertThat(slowed.problem()).isEmpty();
        assertThat(slowed.nanos()).isBetween(2_000 * MILLI, 5_000 * MILLI);
    }

    @Test
    void theEndOfASlowDownDoesNotEndAnother() {
        FaultPlan slow = new FaultPlan(
                ImmutableList.of(
                        new Fault.SlowDown(0, 7, 10_000 * MILLI, 10_000),
                        new Fault.SlowDown(100 * MILLI, 7, 100 * MILLI, 20_000)),
                0,
                0);
        RunResult slowed = Simulation.run(Drawings.testCaseOne(2), TWO_MEGABYTES.withFaults(slow));
        assertThat(slowed.problem()).isEmpty();
        assertThat(slowed.nanos()).isGreaterThan(10_000 * MILLI);
    }

    @Test
    void aJobBesideThatFailsIsAProblemOfTheRun() {
        Impostor fallsSilentBeside = new Impostor(
                Strategies.byName("robber"),
                7,
                (setup, action) -> setup.seed() == 1 ? ImmutableList.of(action) : ImmutableList.of());
        RunResult result = Simulation.run(
                Drawings.testCaseOne(2),
                SimulationOptions.of(fallsSilentBeside, 1, 2_000_000)
                        .withJobsBeside(2)
                        .withLimitNanos(60_000 * MILLI));
        assertThat(result.problem()).startsWith("job 1 beside: ").contains("(rank 7) lacks ");
        assertThat(result.nanos()).isPositive();
        assertThat(result.besideNanos()).containsExactly(-1L, -1L);
    }

    @Test
    void aNodeThatWaitsLacksOnlyWhatItWants() {
        Impostor silent = new Impostor(Strategies.byName("robber"), 3, (setup, action) -> ImmutableList.of());
        RunResult result = Simulation.run(
                Drawings.testCaseOne(1),
                SimulationOptions.of(silent, 1, 40 << 14)
                        .withPieceBytes(1 << 14)
                        .withCollective(Collective.SCATTER)
                        .withLimitNanos(60_000 * MILLI));
        assertThat(result.problem()).contains("D-0 (rank 3) lacks 10 pieces, the first is 30, ");
    }

    /** Both ways to say that nothing passes between A and B: nodes look elsewhere after 5 s, and go on with these at the end. */
    @Test
    void aLinkThatPassesNothingIsNoticedWhateverStoppedIt() {
        Scenario whole = Drawings.testCaseOne(2);
        ImmutableList<ClusterPair> broken = ImmutableList.of(new ClusterPair(0, 1), new ClusterPair(1, 0));
        FaultPlan partition = new FaultPlan(
                broken.stream()
                        .map(pair -> new Fault.Partition(1_000 * MILLI, pair, 59_000 * MILLI))
                        .collect(ImmutableList.toImmutableList()),
                0,
                0);
        RunResult partitioned = Simulation.run(whole, SIXTY_MEGABYTES.withFaults(partition));
        assertThat(partitioned.problem()).isEmpty();
        assertThat(partitioned.nanos()).isBetween(6_000 * MILLI, 20_000 * MILLI);

        Phase before = whole.phases().get(0);
        Map<ClusterPair, LinkSpec> closed = new TreeMap<>(before.links());
        broken.forEach(pair -> closed.put(pair, Drawings.link(0, 10 * MILLI, 0)));
        Scenario phased = new Scenario(
                "phased",
                "",
                Origin.GENERATED,
                whole.root(),
                whole.clusters(),
                ImmutableList.of(
                        before,
                        new Phase(1_000 * MILLI, ImmutableSortedMap.copyOf(closed)),
                        new Phase(60_000 * MILLI, before.links())));
        RunResult stopped = Simulation.run(phased, SIXTY_MEGABYTES);
        assertThat(stopped.problem()).isEmpty();
        assertThat(stopped.nanos()).isEqualTo(partitioned.nanos());
    }

    /** Each has half of the work of their cluster, and they have no other mate. */
    @ParameterizedTest
    @CsvSource({"robber", "mob"})
    void matesWithoutAWayToEachOtherFetchEachOthersWork(String strategy) {
        FaultPlan apart = new FaultPlan(ImmutableList.of(new Fault.Cut(20 * MILLI, 2, 3, 3_600_000L * MILLI)), 0, 0);
        RunResult result = Simulation.run(
                Drawings.testCaseOne(2),
                SimulationOptions.of(Strategies.byName(strategy), 1, 2_000_000).withFaults(apart));
        assertThat(result.problem()).isEmpty();
        assertThat(result.nanos()).isLessThan(30_000 * MILLI);
    }

    @Test
    void flippedBytesAreAskedForAgain() {
        FaultPlan plan = new FaultPlan(ImmutableList.of(), 0.01, 0);
        RunResult result = Simulation.run(Drawings.testCaseOne(4), TWO_MEGABYTES.withFaults(plan));
        assertThat(result.problem()).isEmpty();
        assertThat(result.nodes())
                .anySatisfy(node ->
                        assertThat(node.localBytes() + node.outsideBytes()).isGreaterThan(2_000_000));
    }

    @Test
    void computersLimitNodes() {
        // A byte takes 0.5 us to receive: 2 MB/s, whatever the network gives.
        NodeCosts costs = new NodeCosts(0, 500, 0, 0, 1, 1);
        Scenario fast = Drawings.of(links(new double[1][1], 0), cluster("A", 3));
        assertThat(Simulation.run(fast, TWO_MEGABYTES).nanos()).isLessThan(100 * MILLI);
        assertThat(Simulation.run(fast, TWO_MEGABYTES.withCosts(costs)).nanos())
                .isBetween(1_000 * MILLI, 1_100 * MILLI);
        // Two receivers on one processor.
        NodeCosts shared = new NodeCosts(0, 500, 0, 0, 3, 1);
        assertThat(Simulation.run(fast, TWO_MEGABYTES.withCosts(shared)).nanos())
                .isBetween(2_000 * MILLI, 2_200 * MILLI);
        // In the first half second only a fifth of a second's work gets done.
        NodeCosts cold = new NodeCosts(0, 500, 0, 500 * MILLI, 1, 1);
        assertThat(Simulation.run(fast, TWO_MEGABYTES.withCosts(cold)).nanos()).isBetween(1_300 * MILLI, 1_400 * MILLI);
    }

    @Test
    void aNodeUsesOneProcessorAtATime() {
        NodeCosts costs = new NodeCosts(0, 500, 0, 0, 2, 8);
        Scenario pair = Drawings.of(links(new double[1][1], 0), cluster("A", 2));
        assertThat(Simulation.run(pair, TWO_MEGABYTES.withCosts(costs)).nanos())
                .isBetween(1_000 * MILLI, 1_100 * MILLI);
    }

    @Test
    void jobsBesideShareTheComputer() {
        NodeCosts costs = new NodeCosts(0, 500, 0, 0, 2, 1);
        Scenario pair = Drawings.of(links(new double[1][1], 0), cluster("A", 2));
        RunResult run = Simulation.run(pair, TWO_MEGABYTES.withCosts(costs).withJobsBeside(1));
        assertThat(run.nanos()).isBetween(1_900 * MILLI, 2_100 * MILLI);
        assertThat(run.cpuNanos()).as("of this job").isBetween(1_000 * MILLI, 1_010 * MILLI);
    }

    @Test
    void nodesOnOneComputerAreHeldUpByItsProcessors() {
        Scenario lan = Drawings.of(links(new double[1][1], 0), cluster("A", 16));
        SimulationOptions twoCores = onOneComputer(2, 1);
        // Each of the 15 receivers costs the two processors 2.1 ns a byte, and its sender 1.1.
        assertThat(Simulation.run(lan, twoCores).nanos())
                .isGreaterThan(15 * 60 * MILLI * 3 / 2)
                .isGreaterThan(3 * Simulation.run(lan, onOneComputer(16, 1)).nanos());
    }

    private static SimulationOptions onOneComputer(int cores, double speed) {
        return SIXTY_MEGABYTES.withCosts(NodeCosts.onOneComputer(16, new SharedComputer(cores, speed)));
    }

    @Test
    void aComputerOfHalfTheSpeedWorksTwiceAsLongForTheSame() {
        Scenario lan = Drawings.of(links(new double[1][1], 0), cluster("A", 16));
        RunResult fast = Simulation.run(lan, onOneComputer(2, 1));
        RunResult slow = Simulation.run(lan, onOneComputer(2, 0.5));

        // 2.9 s by 3.2 ns for each of 900 MB, 5.8 s by the cold start of 16 nodes, and some for messages.
        assertThat(fast.cpuNanos()).isBetween(8_700 * MILLI, 12_000 * MILLI);
        assertThat(slow.cpuNanos()).isBetween(fast.cpuNanos() * 19 / 10, fast.cpuNanos() * 21 / 10);
        // Both are busy from the beginning to the end.
        assertThat(slow.nanos()).isBetween(fast.nanos() * 19 / 10, fast.nanos() * 21 / 10);
        assertThat(slow.nanos()).isCloseTo(slow.cpuNanos() / 2, withinPercentage(5));
        assertThat(Simulation.run(lan, SIXTY_MEGABYTES).cpuNanos()).isEqualTo(-1);
    }

    @Test
    void whoClaimsToBeCompleteTooEarlyIsFound() {
        assertThat(problemOf((setup, action) ->
                        action instanceof Action.Send send && send.message() instanceof Message.Bitfield
                                ? ImmutableList.of(new Action.Completed(), action)
                                : ImmutableList.of(action)))
                .startsWith("B-0 (rank 2) at ")
                .endsWith("announces too early that it is complete, without 123 of 123 pieces");
    }

    @Test
    void whoAsksForTooMuchIsFound() {
        assertThat(problemOf((setup, action) ->
                        action instanceof Action.Send send && send.message() instanceof Message.Request
                                ? ImmutableList.of(action, action)
                                : ImmutableList.of(action)))
                .containsPattern("requests piece \\d+ twice of one peer");
    }

    @Test
    void whoForgetsItsWorkIsFound() {
        assertThat(problemOf((setup, action) -> {
                    if (action instanceof Action.Send send
                            && send.message() instanceof Message.Desire desire
                            && !setup.topology().sameCluster(send.toRank(), 2)) {
                        var some = desire.pieces().copy();
                        some.remove(some.first());
                        return ImmutableList.of(new Action.Send(send.toRank(), new Message.Desire(some)));
                    }
                    return ImmutableList.of(action);
                }))
                .contains("has forgotten its work on piece 0");
    }

    @Test
    void aNodeThatThrowsIsNamed() {
        BiFunction<NodeSetup, Action, List<Action>> throwing = (setup, action) -> {
            throw new IllegalStateException("defect");
        };
        assertThatThrownBy(() -> problemOf(throwing))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("(rank 2)")
                .hasMessageContaining("defect");
    }

    private static String problemOf(BiFunction<NodeSetup, Action, List<Action>> change) {
        SimulationOptions options = SimulationOptions.of(
                        new Impostor(Strategies.byName("robber"), 2, change), 1, 2_000_000)
                .withPieceBytes(1 << 14);
        return Simulation.run(Drawings.testCaseOne(2), options).problem();
    }
}
