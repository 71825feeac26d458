package org.robber.core.topology;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.primitives.ImmutableIntArray;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.robber.core.random.SeededRandom;

/**
 * Plans the connections of Robber and MOB. Every node computes the same plan from the same seed, so no node negotiates.
 *
 * <ul>
 *   <li>Inside a cluster: a random graph in which every node has {@code localDegree} peers, or a few of them one or two
 *       more. It begins as a random ring, and so is connected whatever is added at random. In a cluster of up to {@code
 *       localDegree + 1} nodes, everyone is connected to everyone.
 *   <li>Between two clusters: every node has a peer in the other one, drawn at random from its {@link RankShare}. Nodes of
 *       the larger cluster draw first; a node of the smaller one draws only if no node drew it. So each pair of clusters is
 *       connected, by as many connections as its larger cluster has nodes, or few more.
 * </ul>
 *
 * <p>Together these make the whole graph connected by construction: there is no unlucky seed and nothing to retry.
 *
 * <p>Each cluster and each pair of clusters has a generator of its own. So a change to one of them leaves the plan of the
 * others as it was. The peers of one cluster's nodes can be planned without those of others.
 *
 * <p>Source: den Burger and Kielmann, "Collective Receiver-Initiated Multicast for Grid Applications", IEEE TPDS 22(2),
 * 2011, pp. 231-244.
 */
public final class OverlayPlanner {

    /** The published number of local peers of a node. */
    public static final int PUBLISHED_LOCAL_DEGREE = 5;

    private final Topology topology;
    private final int localDegree;
    private final long seed;

    private OverlayPlanner(Topology topology, int localDegree, long seed) {
        this.topology = topology;
        this.localDegree = localDegree;
        this.seed = seed;
    }

    /**
     * The connections of all nodes. They are planned cluster by cluster, when they are first asked for. The plan of a cluster takes time
     * in proportion to the number of all nodes, and memory for the peers of its own nodes.
     *
     * @param localDegree how many peers a node shall have in its own cluster, at least 2
     * @param seed the same on all nodes
     */
    public static Overlay plan(Topology topology, int localDegree, long seed) {
        checkArgument(localDegree >= 2, "localDegree: %s", localDegree);
        OverlayPlanner planner = new OverlayPlanner(topology, localDegree, seed);
        return Overlay.byCluster(topology, /* connectedByClusters= */ true, planner::rows);
    }

    /** The peers of each node of the cluster. */
    private int[][] rows(int cluster) {
        List<ImmutableIntArray.Builder> rows = new ArrayList<>();
        Overlay inside = inside(topology.clusterSize(cluster), random(cluster, cluster));
        for (int index = 0; index < topology.clusterSize(cluster); index++) {
            ImmutableIntArray.Builder row = ImmutableIntArray.builder();
            for (int peerIndex : inside.peers(index)) {
                row.add(topology.member(cluster, peerIndex));
            }
            rows.add(row);
        }
        for (int other = 0; other < topology.clusterCount(); other++) {
            if (other != cluster) {
                int otherCluster = other;
                connectBetween(
                        cluster,
                        otherCluster,
                        (index, otherIndex) -> rows.get(index).add(topology.member(otherCluster, otherIndex)));
            }
        }
        return rows.stream().map(OverlayPlanner::sorted).toArray(int[][]::new);
    }

    private static int[] sorted(ImmutableIntArray.Builder row) {
        int[] ranks = row.build().toArray();
        Arrays.sort(ranks);
        return ranks;
    }

    /** The connections inside a cluster, by index. */
    private Overlay inside(int size, SeededRandom random) {
        Overlay.Builder graph = Overlay.builder(Topology.ofSizes(size));
        new LocalGraph(graph, IntStream.range(0, size).toArray(), localDegree, random).connect();
        return graph.build();
    }

    /** Takes a connection between members of two clusters, each by its index. */
    @FunctionalInterface
    private interface Connections {
        void connect(int index, int otherIndex);
    }

    private void connectBetween(int cluster, int otherCluster, Connections connections) {
        int first = Math.max(cluster, otherCluster);
        int second = Math.min(cluster, otherCluster);
        boolean isFirstLarger = topology.clusterSize(first) >= topology.clusterSize(second);
        int larger = isFirstLarger ? first : second;
        int smaller = isFirstLarger ? second : first;
        Connections fromLarger =
                larger == cluster ? connections : (index, otherIndex) -> connections.connect(otherIndex, index);
        SeededRandom random = random(first, second);
        boolean[] drawn = new boolean[topology.clusterSize(smaller)];
        for (int index = 0; index < topology.clusterSize(larger); index++) {
            int otherIndex = drawFromShare(larger, index, smaller, random);
            drawn[otherIndex] = true;
            fromLarger.connect(index, otherIndex);
        }
        for (int index = 0; index < drawn.length; index++) {
            if (!drawn[index]) {
                fromLarger.connect(drawFromShare(smaller, index, larger, random), index);
            }
        }
    }

    /** The index of one of a member's share of the other cluster. */
    private int drawFromShare(int cluster, int index, int otherCluster, SeededRandom random) {
        RankShare share = RankShare.of(index, topology.clusterSize(cluster), topology.clusterSize(otherCluster));
        return share.from() + random.nextInt(share.size());
    }

    private SeededRandom random(int cluster, int otherCluster) {
        return SeededRandom.forUse(seed, ((long) cluster << Integer.SIZE) | otherCluster);
    }
}
