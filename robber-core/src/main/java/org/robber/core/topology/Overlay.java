package org.robber.core.topology;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.Arrays;
import java.util.TreeSet;

/** Who is connected to whom: symmetric, no node to itself. Immutable. */
public final class Overlay {
    private final Topology topology;
    private final int[][] peers;

    private Overlay(Topology topology, int[][] peers) {
        this.topology = topology;
        this.peers = peers;
    }

    /** Starts an overlay without connections. */
    public static Builder builder(Topology topology) {
        return new Builder(topology);
    }

    /** The nodes of the same cluster that this node is connected to, smallest rank first. */
    public int[] localPeers(int rank) {
        return Arrays.stream(peers[rank])
                .filter(peer -> topology.sameCluster(rank, peer))
                .toArray();
    }

    /** The nodes of other clusters that this node is connected to, smallest rank first. */
    public int[] globalPeers(int rank) {
        return Arrays.stream(peers[rank])
                .filter(peer -> !topology.sameCluster(rank, peer))
                .toArray();
    }

    /** All nodes that this node is connected to, smallest rank first. */
    public int[] peers(int rank) {
        return peers[rank].clone();
    }

    /** Number of connections in all, each counted once. */
    public int connectionCount() {
        return Arrays.stream(peers).mapToInt(list -> list.length).sum() / 2;
    }

    /** Collects connections. Not thread-safe. */
    public static final class Builder {
        private final Topology topology;
        private final TreeSet<Integer>[] peers;

        @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type has no other form
        private Builder(Topology topology) {
            this.topology = topology;
            this.peers = new TreeSet[topology.size()];
            Arrays.setAll(peers, rank -> new TreeSet<Integer>());
        }

        /** Connects two different nodes; connecting them again changes nothing. */
        public Builder connect(int rank, int otherRank) {
            checkArgument(rank != otherRank, "rank %s connected to itself", rank);
            peers[rank].add(otherRank);
            peers[otherRank].add(rank);
            return this;
        }

        /** Whether the two are connected already. */
        public boolean connected(int rank, int otherRank) {
            return peers[rank].contains(otherRank);
        }

        /** How many nodes this one is connected to. */
        public int degree(int rank) {
            return peers[rank].size();
        }

        public Overlay build() {
            int[][] lists = new int[peers.length][];
            Arrays.setAll(
                    lists,
                    rank -> peers[rank].stream().mapToInt(Integer::intValue).toArray());
            return new Overlay(topology, lists);
        }
    }
}
