package org.robber.core.steal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.core.node.InCoreNetwork;
import org.robber.core.node.InCoreNetwork.Faults;
import org.robber.core.node.NodeSetup;
import org.robber.core.node.RandomFabric;
import org.robber.core.piece.PieceSet;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.OverlayPlanner;
import org.robber.core.topology.Topology;

/**
 * Hundreds of random jobs, each wholly described by one number. To see one again: {@code -Drobber.seed=N}.
 */
class RobberSwarmTest {
    private static final long FIRST_SEED = SeededRuns.firstSeed();
    private static final int RUNS = SeededRuns.count(60);

    @Test
    void everyNodeFinishesWithEveryPieceAndNoWorkIsLost() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
            try {
                run(seed);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("to repeat: -Drobber.seed=" + seed + ": " + e.getMessage(), e);
            }
        }
    }

    @Test
    void equalSeedsGiveEqualTraces() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + 10; seed++) {
            assertThat(run(seed)).as("seed %s", seed).isEqualTo(run(seed));
        }
    }

    @Test
    void nobodyStumblesOverADeadNode() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SeededRuns.count(25); seed++) {
            Job job = new Job(seed);
            if (job.topology.size() > 1) {
                int victim = 1 + job.random.nextInt(job.topology.size() - 1);
                job.network(Faults.NONE)
                        .kill(victim, job.random.nextInt(200_000_000))
                        .run(job.maxSteps());
                for (int rank = 0; rank < job.topology.size(); rank++) {
                    if (rank != victim && job.isUnharmed(rank, victim)) {
                        assertThat(job.nodes.get(rank).possession().isFull())
                                .as("rank %s complete without rank %s, seed %s", rank, victim, seed)
                                .isTrue();
                    }
                }
            }
        }
    }

    /** Runs one job and returns the hash of its trace. */
    private static long run(long seed) {
        Job job = new Job(seed);
        Faults faults = job.random.nextBoolean()
                ? Faults.NONE
                : new Faults(job.random.nextDouble() / 5, job.random.nextDouble() / 5);
        InCoreNetwork network = job.network(faults);
        network.check(new WorkChecker(job.nodes, job.requestWindow, job.variant))
                .runToTheEnd(job.maxSteps());
        if (faults.equals(Faults.NONE)) {
            for (int cluster = 1; cluster < job.topology.clusterCount(); cluster++) {
                assertThat(Arrays.stream(network.arrivals(cluster)))
                        .as("copies of each piece that entered cluster %s", cluster)
                        .allMatch(copies -> job.startsEmpty ? copies == 1 : copies <= 1);
            }
        }
        return network.traceHash();
    }

    /** A random job. */
    private static final class Job {
        final long seed;
        final SeededRandom random;
        final Topology topology;
        final int pieceCount;
        final int requestWindow;
        final StealingVariant variant;
        final boolean startsEmpty;
        final List<StealingNode> nodes = new ArrayList<>();

        Job(long seed) {
            this.seed = seed;
            random = new SeededRandom(seed);
            int[] clusterSizes = new int[1 + random.nextInt(5)];
            Arrays.setAll(clusterSizes, cluster -> 1 + random.nextInt(12));
            topology = Topology.ofSizes(clusterSizes);
            pieceCount = random.nextInt(random.nextBoolean() ? 20 : 301);
            requestWindow = 1 + random.nextInt(6);
            variant = random.nextBoolean() ? StealingVariant.PUBLISHED : StealingVariant.IMPROVED;
            startsEmpty = random.nextInt(4) > 0;
        }

        InCoreNetwork network(Faults faults) {
            Overlay overlay = OverlayPlanner.plan(topology, 2 + random.nextInt(5), seed);
            return new InCoreNetwork(
                    topology,
                    overlay,
                    pieceCount,
                    requestWindow,
                    seed,
                    new RandomFabric(topology.size(), seed),
                    faults,
                    this::makeNode);
        }

        private StealingNode makeNode(NodeSetup setup) {
            PieceSet possession = setup.possession();
            for (int i = 0; !startsEmpty && i < pieceCount; i++) {
                possession.add(random.nextInt(pieceCount));
            }
            nodes.add(StealingNode.ofRobber(setup, variant));
            return nodes.get(nodes.size() - 1);
        }

        /**
         * Whether a node gets everything although another one died: in the root's cluster it does; elsewhere not if it
         * needs the work of the dead, or the dead were its cluster's only way to some piece.
         */
        boolean isUnharmed(int rank, int victim) {
            return topology.sameCluster(rank, 0)
                    || (!topology.sameCluster(rank, victim) && !topology.sameCluster(victim, 0));
        }

        /** A piece costs each node a request, an arrival and a few announcements; the rest is control. */
        long maxSteps() {
            return 40L * topology.size() * (pieceCount + 40L);
        }
    }
}
