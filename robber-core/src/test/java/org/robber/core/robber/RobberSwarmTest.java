package org.robber.core.robber;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.core.node.Fabric;
import org.robber.core.node.InCoreNetwork;
import org.robber.core.node.InCoreNetwork.Faults;
import org.robber.core.random.SeededRandom;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.OverlayPlanner;
import org.robber.core.topology.Topology;

/**
 * Hundreds of random jobs, each wholly described by one number. To see one again: {@code -Drobber.seed=N -Drobber.runs=1}.
 */
class RobberSwarmTest {
    private static final long FIRST_SEED = Long.getLong("robber.seed", System.nanoTime() & 0xFFFF_FFFFL);
    private static final int RUNS = Integer.getInteger("robber.runs", 300);

    @Test
    void everyNodeFinishesWithEveryPieceAndNoWorkIsLost() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
            try {
                run(seed);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    @Test
    void equalSeedsGiveEqualTraces() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + 10; seed++) {
            assertThat(run(seed)).as("seed %s", seed).isEqualTo(run(seed));
        }
    }

    /** Runs one job and returns the hash of its trace. */
    private static long run(long seed) {
        SeededRandom random = new SeededRandom(seed);
        int[] clusterSizes = new int[1 + random.nextInt(5)];
        Arrays.setAll(clusterSizes, cluster -> 1 + random.nextInt(12));
        Topology topology = Topology.ofSizes(clusterSizes);
        int pieceCount = random.nextInt(random.nextBoolean() ? 20 : 301);
        int requestWindow = 1 + random.nextInt(6);
        Faults faults =
                random.nextBoolean() ? Faults.NONE : new Faults(random.nextDouble() / 5, random.nextDouble() / 5);
        Overlay overlay = OverlayPlanner.plan(topology, 2 + random.nextInt(5), seed);

        List<RobberNode> nodes = new ArrayList<>();
        InCoreNetwork network = new InCoreNetwork(
                topology, overlay, pieceCount, requestWindow, seed, fabric(topology.size(), seed), faults, setup -> {
                    RobberNode node = new RobberNode(setup);
                    nodes.add(node);
                    return node;
                });
        // A piece costs each node a request, an arrival and a few announcements; the rest is control.
        long maxSteps = 40L * topology.size() * (pieceCount + 40L);
        network.check(new WorkChecker(nodes, requestWindow)).runToTheEnd(maxSteps);
        if (faults.equals(Faults.NONE)) {
            for (int cluster = 1; cluster < topology.clusterCount(); cluster++) {
                assertThat(Arrays.stream(network.arrivals(cluster)))
                        .as("copies of each piece that entered cluster %s", cluster)
                        .allMatch(copies -> copies == 1);
            }
        }
        return network.traceHash();
    }

    /** Node cards and connections between a very slow one and the fastest differ by a factor of a hundred. */
    private static Fabric fabric(int size, long seed) {
        SeededRandom random = new SeededRandom(~seed);
        long[] cardNanos = new long[size];
        Arrays.setAll(cardNanos, rank -> random.nextInt(10) == 0 ? 10_000_000 : 100_000 + random.nextInt(400_000));
        return new Fabric() {
            @Override
            public long cardNanos(int rank) {
                return cardNanos[rank];
            }

            @Override
            public long linkNanos(int fromRank, int toRank) {
                long mixed =
                        SeededRandom.forUse(seed, fromRank * 1000L + toRank).nextLong();
                return mixed % 8 == 0 ? 20_000_000 : 200_000;
            }

            @Override
            public long latencyNanos(int fromRank, int toRank) {
                return (fromRank + toRank) % 5 * 2_000_000L;
            }
        };
    }
}
