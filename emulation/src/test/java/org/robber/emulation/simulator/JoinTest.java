package org.robber.emulation.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;
import org.robber.core.strategy.Strategies;
import org.robber.emulation.run.NodeRun;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.simulator.fault.Fault;
import org.robber.emulation.simulator.fault.FaultPlan;

/**
 * Nodes that join while a transfer goes on: at any time, with any strategy, while other nodes die. {@code -Drobber.seed=S} begins
 * with another seed.
 */
class JoinTest {
    private static final long FIRST_SEED = SeededRuns.firstSeed();
    private static final int SEEDS = SeededRuns.count(5);
    private static final int PIECE_BYTES = 1 << 14;
    private static final int DATA_BYTES = 150 * PIECE_BYTES;
    private static final int NODES_PER_CLUSTER = 5;
    private static final int NODES = 3 * NODES_PER_CLUSTER;
    /** About the time that it takes: some come when all others are through. */
    private static final int LATEST_MILLIS = 900;

    private static final long LIMIT_NANOS = 1_000_000_000_000L;

    private static Scenario scenario() {
        double[][] rates = {{0, 3, 2}, {0, 0, 4}, {0, 0, 0}};
        return Drawings.of(
                Drawings.links(rates, 10 * Drawings.MILLI),
                Drawings.cluster("A", NODES_PER_CLUSTER),
                Drawings.cluster("B", NODES_PER_CLUSTER),
                Drawings.cluster("C", NODES_PER_CLUSTER));
    }

    private static SimulationOptions options(String strategy, long seed, SeededRandom random, int joiners) {
        List<Long> joins = new ArrayList<>();
        for (int i = 0; i < joiners; i++) {
            joins.add(random.nextInt(LATEST_MILLIS) * Drawings.MILLI);
        }
        return SimulationOptions.of(Strategies.byName(strategy), seed, DATA_BYTES)
                .withPieceBytes(PIECE_BYTES)
                .withJoins(joins)
                .withLimitNanos(LIMIT_NANOS);
    }

    private static FaultPlan crashes(List<Fault> crashes) {
        return new FaultPlan(ImmutableList.copyOf(crashes), 0, 50 * Drawings.MILLI);
    }

    private static List<NodeRun> joined(RunResult result, int joiners) {
        return result.nodes().subList(NODES - joiners, NODES);
    }

    /** Every cluster gets each piece once, which the simulation demands at each step; and none of that is for the joiners. */
    @ParameterizedTest
    @ValueSource(strings = {"robber", "mob", "robber:published", "bittorrent", "flat", "chain"})
    void whoJoinsGetsEverythingFromItsMatesAlone(String strategy) {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            SeededRandom random = new SeededRandom(seed);
            int joiners = 1 + random.nextInt(NODES_PER_CLUSTER - 1);
            RunResult result = Simulation.run(scenario(), options(strategy, seed, random, joiners));
            assertThat(result.problem()).as("seed %s", seed).isEmpty();
            for (NodeRun node : joined(result, joiners)) {
                assertThat(node.outsideBytes()).as("seed %s", seed).isZero();
                assertThat(node.localBytes()).as("seed %s", seed).isEqualTo(DATA_BYTES);
            }
        }
    }

    @Test
    void whereNobodyIsAtHomeItComesFromOutside() {
        SeededRandom random = new SeededRandom(FIRST_SEED);
        Scenario scenario = Drawings.of(
                Drawings.links(new double[][] {{0, 3}, {0, 0}}, 10 * Drawings.MILLI),
                Drawings.cluster("A", NODES_PER_CLUSTER),
                Drawings.cluster("B", 1));
        RunResult result = Simulation.run(scenario, options("robber", FIRST_SEED, random, 1));
        assertThat(result.problem()).isEmpty();
        assertThat(result.nodes().get(NODES_PER_CLUSTER).outsideBytes()).isEqualTo(DATA_BYTES);
        assertThat(result.wanCopies(1)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"robber", "mob", "bittorrent"})
    void ifAJoinerDiesAllOthersAreAsTheyWouldBeWithoutIt(String strategy) {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            SeededRandom random = new SeededRandom(seed);
            SimulationOptions options = options(strategy, seed, random, 2);
            long atNanos = random.nextInt(LATEST_MILLIS) * Drawings.MILLI;
            FaultPlan plan = crashes(List.of(new Fault.Crash(atNanos, NODES - 1)));
            RunResult result = Simulation.run(scenario(), options.withFaults(plan));
            for (NodeRun node : result.nodes().subList(0, NODES - 1)) {
                assertThat(node.completeNanos())
                        .as("seed %s: %s", seed, result.problem())
                        .isNotNegative();
            }
            if (!strategy.equals("bittorrent")) {
                assertThat(result.wanCopies(1)).as("seed %s", seed).isEqualTo(1);
                assertThat(result.wanCopies(2)).as("seed %s", seed).isEqualTo(1);
            }
            assertThat(joined(result, 2)).allMatch(node -> node.outsideBytes() == 0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"robber", "mob", "bittorrent"})
    void ifMatesDieJoinersGoOnWithTheOthers(String strategy) {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            SeededRandom random = new SeededRandom(seed);
            SimulationOptions options = options(strategy, seed, random, 2);
            List<Fault> crashes = new ArrayList<>();
            int dying = 1 + random.nextInt(NODES_PER_CLUSTER - 2);
            for (int i = 0; i < dying; i++) {
                crashes.add(new Fault.Crash(random.nextInt(LATEST_MILLIS) * Drawings.MILLI, 2 * NODES_PER_CLUSTER + i));
            }
            RunResult result = Simulation.run(scenario(), options.withFaults(crashes(crashes)));
            for (NodeRun node : joined(result, 2)) {
                assertThat(node.completeNanos())
                        .as("seed %s: %s", seed, result.problem())
                        .isNotNegative();
            }
            assertThat(result.problem()).as("seed %s", seed).doesNotContain("wait");
        }
    }
}
