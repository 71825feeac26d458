package org.robber.core.topology;

import org.robber.core.tuning.Tuning;

/**
 * The members of a cluster that own work at the start. These are all members where the data have many pieces. Otherwise they are a
 * few members, spread evenly over the ranks of the cluster.
 *
 * <p>Each member has a connection to each other cluster. All these connections share one physical line, so m members and C
 * clusters make m (C - 1) flows. With few pieces per flow, each piece takes about as long as the whole multicast, and the last
 * pieces delay everybody. With 4 clusters of 256 nodes and 3,052 pieces the simulated share of the bound rises from 36 to 95 %.
 *
 * <p>Price: where the cards of the gateways are slower than the line, and the data are small, all pieces pass these cards. The loss is at
 * most about {@code PIECES_PER_GATEWAY_LINE * (C - 1)} piece times of one card, whatever the size of the data.
 */
public final class Gateways {
    private Gateways() {}

    /**
     * Number of gateways of a cluster: all members, or at most half of them.
     *
     * @param members nodes of the cluster, at least 1
     * @param clusters clusters of the job, at least 1
     */
    static int count(int members, int clusters, int pieceCount) {
        int wanted = Math.max(
                Tuning.FEWEST_GATEWAYS, pieceCount / (Tuning.PIECES_PER_GATEWAY_LINE * Math.max(1, clusters - 1)));
        return wanted > members / 2 ? members : wanted;
    }

    /** Whether the node is a gateway of its cluster. */
    public static boolean isGateway(int rank, Topology topology, int pieceCount) {
        return placeOf(rank, topology, pieceCount) >= 0;
    }

    /**
     * Which gateway of its cluster the node is, from 0, or -1 if it is none. Gateway k of g is member floor(k m / g). So clusters of
     * any sizes have their gateways at the same relative places, and the overlay connects most gateways to gateways.
     */
    static int placeOf(int rank, Topology topology, int pieceCount) {
        int members = topology.clusterSize(topology.clusterOf(rank));
        int gateways = count(members, topology.clusterCount(), pieceCount);
        int index = topology.indexInCluster(rank);
        int place = (int) (((long) index * gateways + members - 1) / members);
        return place < gateways && (long) place * members / gateways == index ? place : -1;
    }
}
