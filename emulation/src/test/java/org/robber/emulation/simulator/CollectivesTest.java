package org.robber.emulation.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;
import org.robber.core.strategy.Strategies;
import org.robber.core.topology.RandomPlacements;
import org.robber.emulation.bound.CollectiveBound;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.scenario.Collective;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.scenario.ScenarioFamily;
import org.robber.emulation.simulator.fault.FaultPlan;
import org.robber.emulation.simulator.fault.RandomFaults;

/** Collective calls whose data begin at one node, at several, or at all. */
class CollectivesTest {
    private static final int PIECE_BYTES = 16 << 10;
    private static final long HORIZON_NANOS = 4_000_000_000L;
    private static final List<String> STRATEGIES = List.of(
            "robber",
            "mob",
            "robber:published",
            "mob:published",
            "bittorrent",
            "flat",
            "binomial",
            "multilayer",
            "chain",
            "multitcp");

    @ParameterizedTest
    @EnumSource(Collective.class)
    void allNodesGetEverythingAndNotFasterThanTheBound(Collective collective) {
        SeededRuns.run(20, random -> {
            Scenario scenario = ScenarioFamily.steady().draw(random.nextLong());
            long dataBytes = random.nextInt(300) * (long) PIECE_BYTES + random.nextInt(PIECE_BYTES);
            for (String strategy : STRATEGIES) {
                RunResult result = run(scenario, strategy, collective, dataBytes);
                double bound =
                        CollectiveBound.of(scenario, collective, dataBytes).seconds();

                assertThat(result.problem()).as("%s, %s", strategy, scenario).isEmpty();
                // Owners possess whole pieces, so their shares differ from those of the bound by a piece.
                double rounding = PIECE_BYTES * scenario.nodeCount() / 2e6;
                assertThat(result.nanos() / 1e9).isGreaterThanOrEqualTo(bound - rounding);
            }
        });
    }

    @ParameterizedTest
    @EnumSource(
            value = Collective.class,
            names = {"STRIPING", "ALLGATHER", "SCATTER", "GATHER", "ALLTOALL", "REDUCESCATTER"})
    void eachPartHasAsManyPieces(Collective collective) {
        Scenario scenario = Drawings.testCaseOne(2);
        for (long dataBytes : new long[] {1, 60, 100_000, 1_000_000, 50_000_000}) {
            CollectiveCall call = CollectiveCall.of(
                    scenario,
                    SimulationOptions.of(Strategies.byName("robber"), 1, dataBytes)
                            .withCollective(collective));
            int pieces = call.plan() == null
                    ? call.placement().pieceCount()
                    : call.plan().chunks();
            assertThat(pieces % collective.parts(scenario))
                    .as("%s bytes", dataBytes)
                    .isZero();
        }
    }

    /** The slowest parts would be empty if all pieces were of the usual size. */
    @ParameterizedTest
    @EnumSource(
            value = Collective.class,
            names = {"ALLGATHER", "SCATTER", "GATHER", "ALLTOALL", "REDUCESCATTER"})
    void fewBytesAreNotFasterThanTheBound(Collective collective) {
        Scenario scenario = Drawings.testCaseOne(2);
        for (long dataBytes : new long[] {1_000, 100_000, 1_000_000}) {
            RunResult result = Simulation.run(
                    scenario,
                    SimulationOptions.of(Strategies.byName("robber"), 1, dataBytes)
                            .withCollective(collective));
            assertThat(result.problem()).isEmpty();
            assertThat(result.nanos() / 1e9)
                    .isGreaterThanOrEqualTo(
                            CollectiveBound.of(scenario, collective, dataBytes).seconds());
        }
    }

    @Test
    void anyNodesMayPossessAndWantAnyParts() {
        SeededRuns.run(40, random -> {
            Scenario scenario = ScenarioFamily.steady().draw(random.nextLong());
            Function<String, SimulationOptions> options = anyPlacement(random, scenario, random.nextInt(200));
            for (String strategy : STRATEGIES) {
                RunResult result = Simulation.run(scenario, options.apply(strategy));
                assertThat(result.problem()).as("%s, %s", strategy, scenario).isEmpty();
            }
        });
    }

    @Test
    void anyPartsComeInSpiteOfWhatPasses() {
        SeededRuns.run(40, random -> {
            Scenario scenario = ScenarioFamily.steady().draw(random.nextLong());
            SimulationOptions options = anyPlacement(random, scenario, random.nextInt(200))
                    .apply("robber")
                    .withFaults(FaultPlan.passing(scenario, random, HORIZON_NANOS))
                    .withSilenceNanos(RandomFaults.SILENCE_NANOS);
            RunResult result = Simulation.run(scenario, options);
            assertThat(result.problem()).as("%s", scenario).isEmpty();
        });
    }

    /** The run of a strategy, by its name, in which nodes possess and want whatever is drawn. */
    private static Function<String, SimulationOptions> anyPlacement(
            SeededRandom random, Scenario scenario, int pieces) {
        long drawn = random.nextLong();
        int mostRelayed = random.nextBoolean() ? Integer.MAX_VALUE : random.nextInt(20);
        long seed = random.nextLong();
        return strategy -> SimulationOptions.of(Strategies.byName(strategy), seed, (long) pieces * PIECE_BYTES)
                .withPieceBytes(PIECE_BYTES)
                .withPlacement(
                        pieceCount -> RandomPlacements.draw(new SeededRandom(drawn), scenario.nodeCount(), pieceCount)
                                .withRelays(mostRelayed));
    }

    /** Over direct links alone it would be 42 %. */
    @ParameterizedTest
    @EnumSource(
            value = Collective.class,
            names = {"SCATTER", "GATHER"})
    void piecesForOneNodeComeThroughThirdClusters(Collective collective) {
        Scenario scenario = Drawings.testCaseOne(4);
        long dataBytes = 120_000_000;
        RunResult result = Simulation.run(
                scenario,
                SimulationOptions.of(Strategies.byName("robber"), 1, dataBytes).withCollective(collective));
        assertThat(result.problem()).isEmpty();
        double bound = CollectiveBound.of(scenario, collective, dataBytes).seconds();
        assertThat(result.nanos() / 1e9).isLessThan(bound / 0.85);
    }

    @Test
    void treesThatArePackedHaveASingleRoot() {
        Scenario scenario = ScenarioFamily.steady().draw(7);
        assertThat(run(scenario, "balanced", Collective.ALLGATHER, 100_000).problem())
                .isEqualTo("no plan: balanced can do only a multicast, not allgather");
    }

    private static RunResult run(Scenario scenario, String strategy, Collective collective, long dataBytes) {
        return Simulation.run(
                scenario,
                SimulationOptions.of(Strategies.byName(strategy), 1, dataBytes)
                        .withCollective(collective)
                        .withPieceBytes(PIECE_BYTES));
    }
}
