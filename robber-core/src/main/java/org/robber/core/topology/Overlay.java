package org.robber.core.topology;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkElementIndex;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.Arrays;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Who is connected to whom: symmetric, no node to itself. Immutable and thread-safe. An overlay may be computed cluster by cluster,
 * when the peers of a member are first asked for. So a process takes little memory if it asks only for those of its own node.
 */
public final class Overlay {
    private final Topology topology;
    private final IntFunction<int[][]> rowsOfCluster;
    private final boolean connectedByClusters;

    /** By cluster and index in it, the peers of a node; null until they are asked for. */
    private final int[][][] rows;

    private Overlay(Topology topology, boolean connectedByClusters, IntFunction<int[][]> rowsOfCluster) {
        this.topology = topology;
        this.connectedByClusters = connectedByClusters;
        this.rowsOfCluster = rowsOfCluster;
        this.rows = new int[topology.clusterCount()][][];
    }

    /**
     * An overlay that is computed cluster by cluster.
     *
     * @param connectedByClusters as {@link #isConnectedByClusters}
     * @param rowsOfCluster the peers of each member of a cluster, smallest rank first; called once for each cluster at most
     */
    static Overlay byCluster(Topology topology, boolean connectedByClusters, IntFunction<int[][]> rowsOfCluster) {
        return new Overlay(topology, connectedByClusters, rowsOfCluster);
    }

    /**
     * Whether two things are known: the connections inside each cluster connect all its nodes, and of each two clusters every
     * node of the larger one has a peer in the other.
     */
    boolean isConnectedByClusters() {
        return connectedByClusters;
    }

    private synchronized int[] row(int rank) {
        int cluster = topology.clusterOf(rank);
        if (rows[cluster] == null) {
            rows[cluster] = rowsOfCluster.apply(cluster);
        }
        return rows[cluster][topology.indexInCluster(rank)];
    }

    /** Connects each node to each other: for calls in which nodes want parts, which they get from the owners themselves. */
    public static Overlay complete(Topology topology) {
        return byCluster(
                topology,
                true,
                cluster -> Arrays.stream(topology.members(cluster))
                        .mapToObj(rank -> IntStream.range(0, topology.size())
                                .filter(other -> other != rank)
                                .toArray())
                        .toArray(int[][]::new));
    }

    /** Starts an overlay without connections. */
    public static Builder builder(Topology topology) {
        return new Builder(topology);
    }

    /** The nodes of the same cluster that this node is connected to, smallest rank first. */
    public int[] localPeers(int rank) {
        return Arrays.stream(row(rank))
                .filter(peer -> topology.sameCluster(rank, peer))
                .toArray();
    }

    /** The nodes of other clusters that this node is connected to, smallest rank first. */
    public int[] globalPeers(int rank) {
        return Arrays.stream(row(rank))
                .filter(peer -> !topology.sameCluster(rank, peer))
                .toArray();
    }

    /** All nodes that this node is connected to, smallest rank first. */
    public int[] peers(int rank) {
        return row(rank).clone();
    }

    /** Whether the two are connected. */
    public boolean connected(int rank, int otherRank) {
        return Arrays.binarySearch(row(rank), otherRank) >= 0;
    }

    /** Number of connections in all, each counted once. */
    public int connectionCount() {
        return IntStream.range(0, topology.size()).map(rank -> row(rank).length).sum() / 2;
    }

    /** Collects connections. Not thread-safe. */
    public static final class Builder {
        private static final int[] NO_PEERS = {};

        private final Topology topology;

        /** Per rank its peers, smallest first, and zeros behind them. */
        private final int[][] peers;

        private final int[] degrees;

        private Builder(Topology topology) {
            this.topology = topology;
            this.peers = new int[topology.size()][];
            Arrays.fill(peers, NO_PEERS);
            this.degrees = new int[topology.size()];
        }

        /** Connects two different nodes; connecting them again changes nothing. */
        @CanIgnoreReturnValue
        public Builder connect(int rank, int otherRank) {
            checkElementIndex(rank, peers.length, "rank");
            checkElementIndex(otherRank, peers.length, "rank");
            checkArgument(rank != otherRank, "rank %s connected to itself", rank);
            add(rank, otherRank);
            add(otherRank, rank);
            return this;
        }

        private void add(int rank, int peer) {
            int place = Arrays.binarySearch(peers[rank], 0, degrees[rank], peer);
            if (place >= 0) {
                return;
            }
            if (degrees[rank] == peers[rank].length) {
                peers[rank] = Arrays.copyOf(peers[rank], Math.max(8, 2 * degrees[rank]));
            }
            int[] list = peers[rank];
            System.arraycopy(list, -place - 1, list, -place, degrees[rank] + place + 1);
            list[-place - 1] = peer;
            degrees[rank]++;
        }

        /** Whether the two are connected already. */
        public boolean connected(int rank, int otherRank) {
            return Arrays.binarySearch(peers[rank], 0, degrees[rank], otherRank) >= 0;
        }

        /** How many nodes this one is connected to. */
        public int degree(int rank) {
            return degrees[rank];
        }

        /** The connections made so far; the builder may be used further. */
        public Overlay build() {
            int[][] lists = new int[peers.length][];
            Arrays.setAll(lists, rank -> Arrays.copyOf(peers[rank], degrees[rank]));
            return new Overlay(
                    topology,
                    /* connectedByClusters= */ false,
                    cluster -> Arrays.stream(topology.members(cluster))
                            .mapToObj(rank -> lists[rank])
                            .toArray(int[][]::new));
        }
    }
}
