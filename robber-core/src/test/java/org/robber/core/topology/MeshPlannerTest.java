package org.robber.core.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;

class MeshPlannerTest {

    @Test
    void everyNodeHasItsPeersAndAllHangTogether() {
        SeededRuns.run(200, random -> {
            Topology topology = randomTopology(random);
            int degree = 2 + random.nextInt(6);
            Overlay overlay = MeshPlanner.plan(topology, degree, random.nextLong());
            int wanted = Math.min(degree, topology.size() - 1);
            int surplus = 0;
            for (int rank = 0; rank < topology.size(); rank++) {
                assertThat(overlay.peers(rank).length).isGreaterThanOrEqualTo(wanted);
                surplus += overlay.peers(rank).length - wanted;
            }
            // Only those that are left over in the end, and know one another, turn to nodes that have enough.
            assertThat(surplus).isLessThanOrEqualTo(degree * degree);
            assertConnected(topology, overlay);
        });
    }

    @Test
    void biasedNodesHaveMostPeersAtHomeAndAllHangTogether() {
        SeededRuns.run(200, random -> {
            Topology topology = randomTopology(random);
            Overlay overlay = MeshPlanner.planBiased(topology, 5, random.nextLong());
            assertConnected(topology, overlay);
            for (int rank = 0; rank < topology.size(); rank++) {
                int mates = topology.clusterSize(topology.clusterOf(rank)) - 1;
                assertThat(overlay.localPeers(rank).length).isGreaterThanOrEqualTo(Math.min(4, mates));
            }
        });
    }

    @Test
    void theSeedDecides() {
        Topology topology = Topology.ofSizes(20, 20);
        assertThat(MeshPlanner.plan(topology, 5, 1).peers(7))
                .isEqualTo(MeshPlanner.plan(topology, 5, 1).peers(7));
        assertThat(MeshPlanner.plan(topology, 5, 1).peers(7))
                .isNotEqualTo(MeshPlanner.plan(topology, 5, 2).peers(7));
    }

    private static Topology randomTopology(SeededRandom random) {
        int[] sizes = new int[1 + random.nextInt(5)];
        Arrays.setAll(sizes, cluster -> 1 + random.nextInt(15));
        return Topology.ofSizes(sizes);
    }

    private static void assertConnected(Topology topology, Overlay overlay) {
        boolean[] reached = new boolean[topology.size()];
        ArrayDeque<Integer> open = new ArrayDeque<>();
        reached[0] = true;
        open.add(0);
        while (!open.isEmpty()) {
            for (int peer : overlay.peers(open.remove())) {
                if (!reached[peer]) {
                    reached[peer] = true;
                    open.add(peer);
                }
            }
        }
        assertThat(reached).doesNotContain(false);
    }
}
