package org.robber.core.rivals.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.robber.core.random.SeededRuns;
import org.robber.core.rivals.tree.plan.Stripe;
import org.robber.core.topology.MeshPlanner;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.OverlayPlanner;
import org.robber.core.topology.Topology;

class OverlayTreeTest {

    @Test
    void everyClusterIsEnteredOnceOverConnectionsThatAreThere() {
        SeededRuns.run(100, random -> {
            int[] sizes = new int[1 + random.nextInt(5)];
            Arrays.setAll(sizes, cluster -> 1 + random.nextInt(20));
            Topology topology = Topology.ofSizes(sizes);
            Overlay overlay = OverlayPlanner.plan(topology, 2 + random.nextInt(4), random.nextLong());
            int root = random.nextInt(topology.size());
            int[] parents = OverlayTree.parents(topology, overlay, root);
            assertThat(new Stripe(parents, 1, 0).parent(root)).isEqualTo(Stripe.NONE);
            int[] entries = new int[sizes.length];
            for (int rank = 0; rank < parents.length; rank++) {
                if (rank != root) {
                    assertThat(overlay.connected(rank, parents[rank])).isTrue();
                    entries[topology.clusterOf(rank)] += topology.sameCluster(rank, parents[rank]) ? 0 : 1;
                }
            }
            for (int cluster = 0; cluster < sizes.length; cluster++) {
                assertThat(entries[cluster]).isEqualTo(cluster == topology.clusterOf(root) ? 0 : 1);
            }
        });
    }

    @Test
    void clustersThatDoNotHangTogetherByThemselvesAreReachedAllTheSame() {
        SeededRuns.run(50, random -> {
            Topology topology = Topology.ofSizes(7, 3, 9, 1);
            Overlay overlay = MeshPlanner.plan(topology, 2, random.nextLong());
            int[] parents = OverlayTree.parents(topology, overlay, 4);
            assertThat(new Stripe(parents, 1, 0).parent(4)).isEqualTo(Stripe.NONE);
        });
    }

    @Test
    void theWayIsShort() {
        Topology topology = Topology.ofSizes(500);
        int[] parents = OverlayTree.parents(topology, OverlayPlanner.plan(topology, 5, 3), 0);
        for (int rank = 0; rank < 500; rank++) {
            int depth = 0;
            for (int at = rank; parents[at] != Stripe.NONE; at = parents[at]) {
                depth++;
            }
            assertThat(depth).isLessThanOrEqualTo(7);
        }
    }
}
