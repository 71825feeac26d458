package org.robber.emulation.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.robber.core.node.Action;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.node.NodeSetup;
import org.robber.core.node.StrategyLimits;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;
import org.robber.core.strategy.Strategies;
import org.robber.core.topology.Topology;
import org.robber.emulation.experiment.InitialBandwidths;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.scenario.ScenarioFamily;
import org.robber.emulation.simulator.fault.FaultPlan;
import org.robber.emulation.simulator.fault.RandomFaults;

/**
 * Every strategy is held to what it promises, and keeps it: in random networks, with and without things that go wrong and
 * pass. {@code -Drobber.seed=S} repeats one.
 */
class StrategyLimitsTest {
    private static final long FIRST_SEED = SeededRuns.firstSeed();
    private static final int RUNS = SeededRuns.count(5);
    private static final long HORIZON_NANOS = 4_000_000_000L;

    private static final ScenarioFamily FAMILY =
            new ScenarioFamily(4, 6, 0.5e6, 20e6, 50_000_000, 0.01, 1, 0.3, 0.1, 2, 5_000_000_000L);

    static List<String> strategies() {
        List<String> names = new ArrayList<>(Strategies.names());
        names.addAll(List.of(
                "robber:published",
                "mob:published",
                "bittorrent:biased,rarest",
                "bittorrent:endgame",
                "balanced:exact,safe"));
        return names;
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void areKept(String name) {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
            Scenario scenario = FAMILY.draw(seed);
            SeededRandom random = new SeededRandom(seed);
            int pieceBytes = 1 << (12 + random.nextInt(5));
            SimulationOptions options = SimulationOptions.of(
                            Strategies.byName(name, InitialBandwidths.of(scenario)), seed, (long)
                                    (random.nextDouble() * 300 * pieceBytes))
                    .withPieceBytes(pieceBytes)
                    .withRequestWindow(1 + random.nextInt(8));
            assertKept(Simulation.run(scenario, options), seed);
            FaultPlan plan = FaultPlan.passing(scenario, random, HORIZON_NANOS);
            assertKept(
                    Simulation.run(scenario, options.withFaults(plan).withSilenceNanos(RandomFaults.SILENCE_NANOS)),
                    seed);
        }
    }

    private static void assertKept(RunResult result, long seed) {
        assertThat(result.problem()).as("to repeat: -Drobber.seed=%s", seed).isEmpty();
    }

    /** Without promises of its own, a strategy that asks for everything twice would get away with it. */
    @ParameterizedTest
    @MethodSource("strategies")
    void whoAsksForEverythingTwiceIsFound(String name) {
        Scenario scenario = Drawings.testCaseOne(2);
        Impostor greedy = new Impostor(
                Strategies.byName(name, InitialBandwidths.of(scenario)),
                5,
                (setup, action) -> action instanceof Action.Send send && send.message() instanceof Message.Request
                        ? ImmutableList.of(action, action)
                        : ImmutableList.of(action));
        SimulationOptions options = SimulationOptions.of(greedy, 1, 5_000_000).withPieceBytes(1 << 14);

        assertThat(Simulation.run(scenario, options).problem())
                .containsPattern("requests piece \\d+ twice of one peer");
    }

    @Test
    void treesThatKnowClustersEnterEachOnce() {
        Topology topology = Topology.ofSizes(2, 2);
        for (String name : List.of("balanced", "chain", "flat", "fpfr", "max-bottleneck", "multilayer", "auto")) {
            assertThat(limits(name, topology).copiesPerCluster()).as(name).isEqualTo(1);
        }
        for (String name : List.of("binomial", "multitcp", "bittorrent")) {
            StrategyLimits promises = limits(name, topology);
            assertThat(promises.copiesPerCluster()).as(name).isEqualTo(StrategyLimits.UNLIMITED);
            assertThat(promises.requestsPerPiece()).as(name).isEqualTo(1);
        }
    }

    private static StrategyLimits limits(String name, Topology topology) {
        MulticastStrategy strategy = Strategies.byName(name);
        return strategy.limits(
                new NodeSetup(1, topology, strategy.planOverlay(topology, 1), 0, PieceSet.empty(100), 1, 5, 1 << 14));
    }
}
