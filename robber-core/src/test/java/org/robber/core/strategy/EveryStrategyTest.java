package org.robber.core.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.robber.core.node.InCoreNetwork;
import org.robber.core.node.InCoreNetwork.Faults;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.node.RandomFabric;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;
import org.robber.core.topology.Topology;

/**
 * What every strategy has to do, on hundreds of random networks: each job is wholly described by one number. To see one
 * again: {@code -Drobber.seed=N}.
 */
class EveryStrategyTest {
    private static final long FIRST_SEED = SeededRuns.firstSeed();
    private static final int RUNS = SeededRuns.count(20);

    /** All names, and options that change much. */
    static List<String> strategies() {
        List<String> all = new ArrayList<>(Strategies.names());
        all.add("bittorrent:rarest,endgame");
        all.add("bittorrent:biased,endgame");
        return all;
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void everyNodeFinishesWithEveryPiece(String name) {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
            try {
                new Job(name, seed).run();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("to repeat: -Drobber.seed=" + seed + ": " + e.getMessage(), e);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void equalSeedsGiveEqualTraces(String name) {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + 5; seed++) {
            assertThat(new Job(name, seed).run()).as("seed %s", seed).isEqualTo(new Job(name, seed).run());
        }
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void aNodeAloneInItsClusterAndANodeAloneInTheWorldAreServed(String name) {
        for (int[] sizes : new int[][] {{1}, {2}, {1, 1}, {1, 5}, {5, 1}, {1, 7, 1}, {1, 1, 1, 1}}) {
            for (int pieces : new int[] {0, 1, 2, 61}) {
                Job job = new Job(name, FIRST_SEED, Topology.ofSizes(sizes), pieces);
                job.network(Faults.NONE).runToTheEnd(job.maxSteps());
            }
        }
    }

    @Test
    void thereAreStrategies() {
        assertThat(strategies()).contains("robber", "mob");
    }

    /** A random job. */
    private static final class Job {
        private final MulticastStrategy strategy;
        private final long seed;
        private final SeededRandom random;
        private final Topology topology;
        private final int pieceCount;

        Job(String name, long seed) {
            this.strategy = Strategies.byName(name);
            this.seed = seed;
            random = new SeededRandom(seed);
            int[] clusterSizes = new int[1 + random.nextInt(5)];
            Arrays.setAll(clusterSizes, cluster -> 1 + random.nextInt(12));
            topology = Topology.ofSizes(clusterSizes);
            pieceCount = random.nextInt(random.nextBoolean() ? 20 : 301);
        }

        Job(String name, long seed, Topology topology, int pieceCount) {
            this.strategy = Strategies.byName(name);
            this.seed = seed;
            this.random = new SeededRandom(seed);
            this.topology = topology;
            this.pieceCount = pieceCount;
        }

        InCoreNetwork network(Faults faults) {
            return new InCoreNetwork(
                    topology,
                    strategy.planOverlay(topology, seed),
                    pieceCount,
                    1 + random.nextInt(6),
                    seed,
                    new RandomFabric(topology.size(), seed),
                    faults,
                    strategy::createNode);
        }

        /** Runs the job and returns the hash of its trace. */
        long run() {
            Faults faults =
                    random.nextBoolean() ? Faults.NONE : new Faults(random.nextDouble() / 5, random.nextDouble() / 5);
            InCoreNetwork network = network(faults).runToTheEnd(maxSteps());
            assertThat(IntStream.range(0, topology.size()))
                    .allMatch(rank -> network.node(rank).possession().isFull());
            return network.traceHash();
        }

        /** A piece costs each node a request, an arrival and a few announcements; the rest is control. */
        long maxSteps() {
            return 60L * (topology.size() + 2) * (pieceCount + 40L);
        }
    }
}
