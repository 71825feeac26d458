package org.robber.core.topology;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/**
 * Plans the connections that take the place of those of lost nodes. Every node computes the same from the same overlay and
 * the same lost nodes, so nobody negotiates:
 *
 * <ul>
 *   <li>The former cluster mates that a lost node was connected to become connected in a ring.
 *   <li>A node that had peers in another cluster and has none there any more gets one, if anybody is left there, by its place
 *       among those that are left in both clusters.
 *   <li>If survivors still fall apart, the parts are joined in a chain.
 * </ul>
 *
 * <p>So all survivors of a connected overlay are connected, and whoever was able to steal from a cluster still is.
 *
 * <p><b>How a driver uses it.</b> When it hears that a node is lost for good, it tells the machine {@link
 * org.robber.core.node.Event.NodeLost}, adds the node to those it knows to be lost, and computes the repaired overlay <i>from the
 * planned one</i>. It connects to each peer of its own there that it has no connection to, as at the start the higher rank to
 * the lower, and reports {@link org.robber.core.node.Event.PeerReady} as for any other. Connections that an earlier repair
 * made and this one does not name are kept: nodes may hear of losses in different orders, and agree in the end.
 */
public final class OverlayRepair {
    private final Topology topology;
    private final Overlay planned;
    private final Set<Integer> lost;
    private final Overlay.Builder repaired;

    private OverlayRepair(Topology topology, Overlay planned, Set<Integer> lost) {
        this.topology = topology;
        this.planned = planned;
        this.lost = lost;
        this.repaired = Overlay.builder(topology);
    }

    /**
     * The connections among those that are left: what is left of the planned ones, and new ones.
     *
     * @param planned as the strategy planned it, with all nodes
     * @param lost the ranks of all nodes that were lost so far
     */
    public static Overlay repair(Topology topology, Overlay planned, Set<Integer> lost) {
        return new OverlayRepair(topology, planned, lost).repair();
    }

    private Overlay repair() {
        for (int rank = 0; rank < topology.size(); rank++) {
            for (int peer : planned.peers(rank)) {
                if (peer < rank && isLeft(rank) && isLeft(peer)) {
                    repaired.connect(rank, peer);
                }
            }
        }
        closeGapsInside();
        connectOutside();
        joinParts();
        return repaired.build();
    }

    private boolean isLeft(int rank) {
        return !lost.contains(rank);
    }

    /** Takes the lost nodes out one by one, lowest rank first; their mates close the gap, those lost among them later. */
    private void closeGapsInside() {
        TreeSet<Integer> order = new TreeSet<>(lost);
        TreeSet<Integer>[] mates = mates();
        for (int gone : order) {
            Integer[] ring = mates[gone].toArray(new Integer[0]);
            for (int i = 0; i < ring.length; i++) {
                int rank = ring[i];
                int next = ring[(i + 1) % ring.length];
                mates[rank].remove(gone);
                if (rank != next) {
                    mates[rank].add(next);
                    mates[next].add(rank);
                }
            }
        }
        for (int rank = 0; rank < mates.length; rank++) {
            for (int mate : mates[rank]) {
                if (mate < rank && isLeft(rank) && isLeft(mate)) {
                    repaired.connect(rank, mate);
                }
            }
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of sets
    private TreeSet<Integer>[] mates() {
        TreeSet<Integer>[] mates = new TreeSet[topology.size()];
        for (int rank = 0; rank < mates.length; rank++) {
            mates[rank] = new TreeSet<>();
            for (int mate : planned.localPeers(rank)) {
                mates[rank].add(mate);
            }
        }
        return mates;
    }

    private void connectOutside() {
        int[][] left = new int[topology.clusterCount()][];
        for (int cluster = 0; cluster < left.length; cluster++) {
            left[cluster] = left(cluster);
        }
        for (int rank = 0; rank < topology.size(); rank++) {
            if (isLeft(rank)) {
                connectOutside(rank, left);
            }
        }
    }

    private int[] left(int cluster) {
        int[] members = new int[topology.clusterSize(cluster)];
        Arrays.setAll(members, index -> topology.member(cluster, index));
        return Arrays.stream(members).filter(this::isLeft).toArray();
    }

    private void connectOutside(int rank, int[][] left) {
        TreeSet<Integer> had = new TreeSet<>();
        TreeSet<Integer> has = new TreeSet<>();
        for (int peer : planned.globalPeers(rank)) {
            had.add(topology.clusterOf(peer));
            if (isLeft(peer)) {
                has.add(topology.clusterOf(peer));
            }
        }
        had.removeAll(has);
        int[] own = left[topology.clusterOf(rank)];
        for (int cluster : had) {
            int[] others = left[cluster];
            if (others.length > 0) {
                int place = Arrays.binarySearch(own, rank);
                repaired.connect(rank, others[(int) ((long) place * others.length / own.length)]);
            }
        }
    }

    /** Connects the parts in the order of their lowest ranks, each by that rank to the one before. */
    private void joinParts() {
        int[] part = new int[topology.size()];
        Arrays.fill(part, -1);
        Overlay sofar = repaired.build();
        int before = -1;
        for (int rank = 0; rank < part.length; rank++) {
            if (isLeft(rank) && part[rank] < 0) {
                mark(rank, part, sofar);
                if (before >= 0) {
                    repaired.connect(rank, before);
                }
                before = rank;
            }
        }
    }

    private void mark(int start, int[] part, Overlay overlay) {
        int[] stack = new int[part.length];
        int size = 0;
        stack[size++] = start;
        part[start] = start;
        while (size > 0) {
            for (int peer : overlay.peers(stack[--size])) {
                if (part[peer] < 0) {
                    part[peer] = start;
                    stack[size++] = peer;
                }
            }
        }
    }
}
