package org.robber.core.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.robber.core.Memory;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;

class OverlayPlannerTest {

    private static final int DEGREE = OverlayPlanner.PUBLISHED_LOCAL_DEGREE;

    static int[][] sizes() {
        return new int[][] {
            {1},
            {2},
            {6},
            {7},
            {100},
            {1, 1},
            {1, 7},
            {2, 11},
            {1, 1, 1, 1, 1},
            {1, 16, 3},
            {4, 4},
            {16, 16, 16, 16},
            // Where the original implementation runs out of bounds.
            {7, 29},
            {11, 25},
            {19, 21},
            {25, 7},
        };
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void plansWhatIsPromised(int[] clusterSizes) {
        SeededRuns.run(20, random -> assertPlan(clusterSizes, DEGREE, random.nextLong()));
    }

    @Test
    void plansRandomClusters() {
        SeededRuns.run(200, random -> {
            int[] clusterSizes = new int[1 + random.nextInt(6)];
            Arrays.setAll(clusterSizes, cluster -> 1 + random.nextInt(40));
            assertPlan(clusterSizes, 2 + random.nextInt(7), random.nextLong());
        });
    }

    @Test
    void plansClustersWhoseMembersComeInAnyOrder() {
        SeededRuns.run(50, random -> {
            String[] names = new String[1 + random.nextInt(50)];
            Arrays.setAll(names, rank -> Topology.letters(random.nextInt(4)));
            Topology topology = Topology.of(Arrays.asList(names));
            assertPlan(topology, OverlayPlanner.plan(topology, DEGREE, random.nextLong()), DEGREE);
        });
    }

    @Test
    void theSameSeedGivesTheSamePlan() {
        Topology topology = Topology.ofSizes(20, 13, 1);
        assertThat(allPeers(OverlayPlanner.plan(topology, DEGREE, 7)))
                .isDeepEqualTo(allPeers(OverlayPlanner.plan(topology, DEGREE, 7)));
        assertThat(Arrays.deepEquals(
                        allPeers(OverlayPlanner.plan(topology, DEGREE, 7)),
                        allPeers(OverlayPlanner.plan(topology, DEGREE, 8))))
                .isFalse();
    }

    /** Nodes of two versions would not find each other if this changed: then it is a new version of the protocol. */
    @Test
    void plansStayWhatTheyAre() {
        Overlay overlay = OverlayPlanner.plan(Topology.ofSizes(8, 3), DEGREE, 42);
        assertThat(overlay.peers(0)).containsExactly(1, 4, 5, 6, 7, 8);
        assertThat(overlay.peers(9)).containsExactly(2, 3, 4, 8, 10);
    }

    @Test
    void equalClustersAreConnectedMemberByMember() {
        Overlay overlay = OverlayPlanner.plan(Topology.ofSizes(5, 5), DEGREE, 1);
        for (int rank = 0; rank < 5; rank++) {
            assertThat(overlay.globalPeers(rank)).containsExactly(rank + 5);
        }
    }

    /** The load of the connections is even: a member has about as many as its share of the other cluster. */
    @Test
    void aSmallClusterSharesTheConnectionsOfALargeOne() {
        Overlay overlay = OverlayPlanner.plan(Topology.ofSizes(4, 32), DEGREE, 3);
        for (int rank = 0; rank < 4; rank++) {
            assertThat(overlay.globalPeers(rank)).hasSize(8);
        }
    }

    @Test
    void localPeersAreDrawnEvenly() {
        int nodes = 30;
        int[] timesPeerOfZero = new int[nodes];
        SeededRandom seeds = new SeededRandom(9);
        for (int run = 0; run < 3000; run++) {
            Overlay overlay = OverlayPlanner.plan(Topology.ofSizes(nodes), DEGREE, seeds.nextLong());
            for (int peer : overlay.peers(0)) {
                timesPeerOfZero[peer]++;
            }
        }
        // Expected 3000 * 5 / 29 = 517, standard deviation 21; the seed is fixed.
        for (int peer = 1; peer < nodes; peer++) {
            assertThat(timesPeerOfZero[peer]).as("peer %s", peer).isBetween(400, 640);
        }
    }

    @Test
    void tenThousandNodesAreQuick() {
        int[] clusterSizes = new int[100];
        Arrays.fill(clusterSizes, 100);
        Topology topology = Topology.ofSizes(clusterSizes);
        Overlay overlay = Assertions.assertTimeoutPreemptively(
                Duration.ofMinutes(1), () -> OverlayPlanner.plan(topology, DEGREE, 1));
        assertThat(overlay.globalPeers(1234)).hasSize(99);
        assertConnected(topology.size(), overlay, rank -> true);
    }

    @Test
    void oneHugeClusterIsQuick() {
        Topology topology = Topology.ofSizes(50_000);
        Overlay overlay = Assertions.assertTimeoutPreemptively(
                Duration.ofMinutes(1), () -> OverlayPlanner.plan(topology, DEGREE, 1));
        assertConnected(topology.size(), overlay, rank -> true);
    }

    @Test
    void refusesADegreeThatConnectsNobody() {
        Topology topology = Topology.ofSizes(3);
        assertThatThrownBy(() -> OverlayPlanner.plan(topology, 1, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    private static void assertPlan(int[] clusterSizes, int localDegree, long seed) {
        Topology topology = Topology.ofSizes(clusterSizes);
        assertPlan(topology, OverlayPlanner.plan(topology, localDegree, seed), localDegree);
    }

    private static void assertPlan(Topology topology, Overlay overlay, int localDegree) {
        assertConnected(topology.size(), overlay, rank -> true);
        for (int cluster = 0; cluster < topology.clusterCount(); cluster++) {
            int inside = cluster;
            assertConnected(topology.clusterSize(cluster), overlay, rank -> topology.clusterOf(rank) == inside);
        }
        int surplus = 0;
        for (int rank = 0; rank < topology.size(); rank++) {
            assertSymmetric(overlay, rank);
            assertPeerInEachCluster(topology, overlay, rank);
            int wanted = Math.min(localDegree, topology.clusterSize(topology.clusterOf(rank)) - 1);
            assertThat(overlay.localPeers(rank)).hasSizeGreaterThanOrEqualTo(wanted);
            surplus += overlay.localPeers(rank).length - wanted;
        }
        assertThat(surplus).isLessThanOrEqualTo(topology.clusterCount() * localDegree * localDegree);
    }

    private static void assertSymmetric(Overlay overlay, int rank) {
        assertThat(overlay.peers(rank)).doesNotContain(rank).isSorted().doesNotHaveDuplicates();
        for (int peer : overlay.peers(rank)) {
            assertThat(overlay.peers(peer)).contains(rank);
        }
    }

    private static void assertPeerInEachCluster(Topology topology, Overlay overlay, int rank) {
        int ownCluster = topology.clusterOf(rank);
        BitSet reached = new BitSet();
        reached.set(ownCluster);
        for (int peer : overlay.globalPeers(rank)) {
            int cluster = topology.clusterOf(peer);
            RankShare share = RankShare.of(
                    topology.indexInCluster(rank), topology.clusterSize(ownCluster), topology.clusterSize(cluster));
            assertThat(topology.indexInCluster(peer)).isBetween(share.from(), share.to() - 1);
            reached.set(cluster);
        }
        assertThat(reached.cardinality()).isEqualTo(topology.clusterCount());
    }

    /** The nodes that pass the filter reach each other through themselves alone. */
    private static void assertConnected(int nodes, Overlay overlay, IntPredicate filter) {
        int start = 0;
        while (!filter.test(start)) {
            start++;
        }
        BitSet reached = new BitSet();
        ArrayDeque<Integer> agenda = new ArrayDeque<>();
        agenda.add(start);
        reached.set(start);
        while (!agenda.isEmpty()) {
            for (int peer : overlay.peers(agenda.remove())) {
                if (filter.test(peer) && !reached.get(peer)) {
                    reached.set(peer);
                    agenda.add(peer);
                }
            }
        }
        assertThat(reached.cardinality()).isEqualTo(nodes);
    }

    private static int[][] allPeers(Overlay overlay) {
        int[][] peers = new int[34][];
        Arrays.setAll(peers, overlay::peers);
        return peers;
    }

    /** A process of the largest job asks for its own peers and for those of its mates: 50 million connections are not its concern. */
    @Test
    void aNodePlansTheConnectionsOfItsOwnClusterAlone() {
        int[] clusterSizes = new int[1000];
        Arrays.fill(clusterSizes, 100);
        Topology topology = Topology.ofSizes(clusterSizes);
        long before = Memory.allocatedBytes();
        Overlay overlay = OverlayPlanner.plan(topology, DEGREE, 1);
        assertThat(overlay.globalPeers(50_050)).hasSize(999);
        assertThat(overlay.localPeers(50_051)).hasSizeGreaterThanOrEqualTo(DEGREE);
        assertThat(Memory.allocatedBytes() - before).isLessThan(32 << 20);
    }
}
