package org.robber.core.topology;

import static com.google.common.base.Preconditions.checkArgument;

import org.robber.core.random.SeededRandom;

/**
 * Plans the connections of Robber and MOB. Every node computes the same plan from the same seed, so nobody negotiates.
 *
 * <ul>
 *   <li>Inside a cluster: a random graph in which every node has {@code localDegree} peers, or a few of them one or two
 *       more; in a cluster of up to {@code localDegree + 1} nodes, everyone is connected to everyone. It begins as a random
 *       ring, and so is connected whatever is added at random.
 *   <li>Between two clusters: every node has a peer in the other one, drawn at random from its {@link RankShare}. Nodes of
 *       the larger cluster draw first; a node of the smaller one draws only if nobody drew it. So each pair of clusters is
 *       connected, by as many connections as its larger cluster has nodes, or few more.
 * </ul>
 *
 * <p>Together these make the whole graph connected by construction: there is no unlucky seed and nothing to retry.
 *
 * <p>Each cluster and each pair of clusters has a generator of its own, so a change to one of them leaves the plan of the
 * others as it was.
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
    private final Overlay.Builder overlay;

    private OverlayPlanner(Topology topology, int localDegree, long seed) {
        this.topology = topology;
        this.localDegree = localDegree;
        this.seed = seed;
        this.overlay = Overlay.builder(topology);
    }

    /**
     * The connections of all nodes.
     *
     * @param localDegree how many peers a node shall have in its own cluster, at least 2
     * @param seed the same on all nodes
     */
    public static Overlay plan(Topology topology, int localDegree, long seed) {
        checkArgument(localDegree >= 2, "localDegree: %s", localDegree);
        return new OverlayPlanner(topology, localDegree, seed).plan();
    }

    private Overlay plan() {
        // First inside all clusters: there, the degree of a node is the number of its local peers.
        for (int cluster = 0; cluster < topology.clusterCount(); cluster++) {
            connectInside(cluster);
        }
        for (int cluster = 0; cluster < topology.clusterCount(); cluster++) {
            for (int other = 0; other < cluster; other++) {
                connectBetween(cluster, other);
            }
        }
        return overlay.build();
    }

    private void connectInside(int cluster) {
        int[] ranks = new int[topology.clusterSize(cluster)];
        for (int index = 0; index < ranks.length; index++) {
            ranks[index] = topology.member(cluster, index);
        }
        new LocalGraph(overlay, ranks, localDegree, random(cluster, cluster)).connect();
    }

    private void connectBetween(int cluster, int otherCluster) {
        boolean isLarger = topology.clusterSize(cluster) >= topology.clusterSize(otherCluster);
        int larger = isLarger ? cluster : otherCluster;
        int smaller = isLarger ? otherCluster : cluster;
        SeededRandom random = random(cluster, otherCluster);
        boolean[] drawn = new boolean[topology.clusterSize(smaller)];
        for (int index = 0; index < topology.clusterSize(larger); index++) {
            drawn[connectToShare(larger, index, smaller, random)] = true;
        }
        for (int index = 0; index < drawn.length; index++) {
            if (!drawn[index]) {
                connectToShare(smaller, index, larger, random);
            }
        }
    }

    /** Connects a member to one of its share of the other cluster; returns the index of that one. */
    private int connectToShare(int cluster, int index, int otherCluster, SeededRandom random) {
        RankShare share = RankShare.of(index, topology.clusterSize(cluster), topology.clusterSize(otherCluster));
        int otherIndex = share.from() + random.nextInt(share.size());
        overlay.connect(topology.member(cluster, index), topology.member(otherCluster, otherIndex));
        return otherIndex;
    }

    private SeededRandom random(int cluster, int otherCluster) {
        return SeededRandom.forUse(seed, ((long) cluster << Integer.SIZE) | otherCluster);
    }
}
