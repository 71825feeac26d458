package org.robber.core.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.robber.core.Memory;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;

class OverlayRepairTest {
    private static final long FIRST_SEED = SeededRuns.firstSeed();
    private static final int RUNS = SeededRuns.count(300);

    @Test
    void withoutLossesNothingChanges() {
        Topology topology = Topology.ofSizes(9, 3, 1);
        Overlay planned = OverlayPlanner.plan(topology, 5, 7);
        Overlay repaired = OverlayRepair.repair(topology, planned, Set.of());
        for (int rank = 0; rank < topology.size(); rank++) {
            assertThat(repaired.peers(rank)).containsExactly(planned.peers(rank));
        }
    }

    @Test
    void survivorsStayConnectedAndReachEveryClusterThatTheyReached() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
            SeededRandom random = new SeededRandom(seed);
            Topology topology = Topology.ofSizes(1 + random.nextInt(12), 1 + random.nextInt(12), 1 + random.nextInt(4));
            boolean mesh = random.nextBoolean();
            Overlay planned = mesh ? MeshPlanner.plan(topology, 5, seed) : OverlayPlanner.plan(topology, 5, seed);
            TreeSet<Integer> lost = new TreeSet<>();
            for (int i = random.nextInt(topology.size()); i > 0; i--) {
                lost.add(random.nextInt(topology.size()));
            }
            Overlay repaired = OverlayRepair.repair(topology, planned, lost);
            assertThat(reached(topology, repaired, lost)).as("seed %s", seed).hasSize(topology.size() - lost.size());
            for (int rank = 0; rank < topology.size() && !mesh; rank++) {
                for (int cluster = 0; cluster < topology.clusterCount() && !lost.contains(rank); cluster++) {
                    if (cluster != topology.clusterOf(rank) && isAnybodyLeft(topology, cluster, lost)) {
                        assertThat(clusters(topology, repaired.peers(rank)))
                                .as("seed %s, rank %s", seed, rank)
                                .contains(cluster);
                    }
                }
            }
        }
    }

    private static boolean isAnybodyLeft(Topology topology, int cluster, Set<Integer> lost) {
        boolean left = false;
        for (int index = 0; index < topology.clusterSize(cluster); index++) {
            left |= !lost.contains(topology.member(cluster, index));
        }
        return left;
    }

    private static Set<Integer> clusters(Topology topology, int[] ranks) {
        Set<Integer> clusters = new TreeSet<>();
        for (int rank : ranks) {
            clusters.add(topology.clusterOf(rank));
        }
        return clusters;
    }

    private static Set<Integer> reached(Topology topology, Overlay overlay, Set<Integer> lost) {
        Set<Integer> reached = new TreeSet<>();
        ArrayDeque<Integer> open = new ArrayDeque<>();
        for (int rank = 0; rank < topology.size() && open.isEmpty(); rank++) {
            if (!lost.contains(rank)) {
                open.add(rank);
                reached.add(rank);
            }
        }
        while (!open.isEmpty()) {
            for (int peer : overlay.peers(open.remove())) {
                assertThat(lost).doesNotContain(peer);
                if (reached.add(peer)) {
                    open.add(peer);
                }
            }
        }
        return reached;
    }

    @Test
    void aNodeRepairsTheConnectionsOfItsOwnClusterAlone() {
        int[] clusterSizes = new int[100];
        Arrays.fill(clusterSizes, 100);
        Topology topology = Topology.ofSizes(clusterSizes);
        Overlay planned = OverlayPlanner.plan(topology, 5, 1);
        Set<Integer> lost = new TreeSet<>();
        long before = Memory.allocatedBytes();
        for (int loss = 0; loss < 50; loss++) {
            lost.add(loss * 199 + 1);
            assertThat(OverlayRepair.repair(topology, planned, lost).globalPeers(0))
                    .hasSizeGreaterThanOrEqualTo(99);
        }
        assertThat(Memory.allocatedBytes() - before).isLessThan(128 << 20);
    }
}
