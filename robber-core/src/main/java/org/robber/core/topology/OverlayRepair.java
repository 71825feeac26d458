package org.robber.core.topology;

import com.google.common.collect.ImmutableSortedSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * Plans the connections that take the place of those of lost nodes. Every node computes the same from the same overlay and
 * the same lost nodes, so no node negotiates:
 *
 * <ul>
 *   <li>The former cluster mates that a lost node was connected to become connected in a ring.
 *   <li>A node that has lost all its peers in another cluster gets a new one there, if a node is left. The places of both among
 *       those that are left in their clusters say which one.
 *   <li>If survivors still fall apart, the parts are joined in a chain.
 * </ul>
 *
 * <p>So all survivors of a connected overlay are connected, and each node that could steal from a cluster still can.
 *
 * <p><b>How a driver uses it</b>, through {@code org.robber.core.driver.SurvivorOverlay}. When it hears that a node is lost for good, it tells the machine {@link
 * org.robber.core.node.Event.NodeLost}. It adds the node to those it knows to be lost, and computes the repaired overlay <i>from
 * the planned one</i>. Then it connects to each of its new peers; as at the start, the higher rank connects to the lower. It reports
 * {@link org.robber.core.node.Event.PeerReady} as for any other peer. It keeps connections of an earlier repair that this one does
 * not name, because nodes may hear of losses in different orders, and agree in the end.
 */
public final class OverlayRepair {
    private final Topology topology;
    private final Overlay planned;
    private final ImmutableSortedSet<Integer> lost;

    /** By cluster, the ranks of its members that are left; null until they are asked for. */
    private final int[][] left;

    private OverlayRepair(Topology topology, Overlay planned, Set<Integer> lost) {
        this.topology = topology;
        this.planned = planned;
        this.lost = ImmutableSortedSet.copyOf(lost);
        this.left = new int[topology.clusterCount()][];
    }

    /**
     * The connections among those that are left: what is left of the planned ones, and new ones. If the planned overlay was
     * planned cluster by cluster, it is repaired in the same way, when the peers of a cluster's nodes are asked for.
     *
     * @param planned as the strategy planned it, with all nodes
     * @param lost the ranks of all nodes that were lost so far
     */
    public static Overlay repair(Topology topology, Overlay planned, Set<Integer> lost) {
        OverlayRepair repair = new OverlayRepair(topology, planned, lost);
        boolean connected = planned.isConnectedByClusters();
        Overlay repaired = Overlay.byCluster(topology, connected, repair::rows);
        // Where clusters connect all nodes, their gaps are closed, and no parts are left to join.
        return connected ? repaired : repair.joinParts(repaired);
    }

    private boolean isLeft(int rank) {
        return !lost.contains(rank);
    }

    /** The repaired peers of each node of the cluster. */
    private int[][] rows(int cluster) {
        List<NavigableSet<Integer>> rows = new ArrayList<>();
        for (int rank : topology.members(cluster)) {
            NavigableSet<Integer> row = new TreeSet<>();
            if (isLeft(rank)) {
                Arrays.stream(planned.peers(rank)).filter(this::isLeft).forEach(row::add);
            }
            rows.add(row);
        }
        closeGapsInside(cluster, rows);
        connectOutside(cluster, rows);
        takeFromOutside(cluster, rows);
        return rows.stream()
                .map(row -> row.stream().mapToInt(Integer::intValue).toArray())
                .toArray(int[][]::new);
    }

    private void add(List<NavigableSet<Integer>> rows, int rank, int peer) {
        rows.get(topology.indexInCluster(rank)).add(peer);
    }

    /** Takes the lost nodes out one by one, lowest rank first; their mates close the gap, those lost among them later. */
    private void closeGapsInside(int cluster, List<NavigableSet<Integer>> rows) {
        int[] gone = lostOf(cluster);
        if (gone.length == 0) {
            return;
        }
        List<NavigableSet<Integer>> mates = new ArrayList<>();
        for (int rank : topology.members(cluster)) {
            NavigableSet<Integer> row = new TreeSet<>();
            Arrays.stream(planned.localPeers(rank)).forEach(row::add);
            mates.add(row);
        }
        for (int rank : gone) {
            Integer[] ring = mates.get(topology.indexInCluster(rank)).toArray(new Integer[0]);
            for (int i = 0; i < ring.length; i++) {
                int mate = ring[i];
                int next = ring[(i + 1) % ring.length];
                mates.get(topology.indexInCluster(mate)).remove(rank);
                if (mate != next) {
                    add(mates, mate, next);
                    add(mates, next, mate);
                }
            }
        }
        for (int rank : left(cluster)) {
            mates.get(topology.indexInCluster(rank)).stream()
                    .filter(this::isLeft)
                    .forEach(mate -> add(rows, rank, mate));
        }
    }

    private int[] lostOf(int cluster) {
        return lost.stream()
                .mapToInt(Integer::intValue)
                .filter(rank -> topology.clusterOf(rank) == cluster)
                .toArray();
    }

    private int[] left(int cluster) {
        if (left[cluster] == null) {
            left[cluster] = Arrays.stream(topology.members(cluster))
                    .filter(this::isLeft)
                    .toArray();
        }
        return left[cluster];
    }

    /** Nodes of the cluster that have lost all peers in another one get one there. */
    private void connectOutside(int cluster, List<NavigableSet<Integer>> rows) {
        for (int rank : left(cluster)) {
            NavigableSet<Integer> without = new TreeSet<>();
            NavigableSet<Integer> with = new TreeSet<>();
            for (int peer : planned.globalPeers(rank)) {
                (isLeft(peer) ? with : without).add(topology.clusterOf(peer));
            }
            without.removeAll(with);
            for (int other : without) {
                if (left(other).length > 0) {
                    add(rows, rank, substitute(rank, other));
                }
            }
        }
    }

    /** The same seen from the other side: nodes of other clusters that have lost all peers in this one get one here. */
    private void takeFromOutside(int cluster, List<NavigableSet<Integer>> rows) {
        if (left(cluster).length == 0) {
            return;
        }
        NavigableSet<Integer> without = new TreeSet<>();
        for (int rank : lostOf(cluster)) {
            Arrays.stream(planned.globalPeers(rank)).filter(this::isLeft).forEach(without::add);
        }
        if (without.isEmpty()) {
            return;
        }
        for (int rank : left(cluster)) {
            Arrays.stream(planned.globalPeers(rank)).forEach(without::remove);
        }
        for (int other : without) {
            add(rows, substitute(other, cluster), other);
        }
    }

    /** The member of another cluster that a node is connected to in place of its lost peers there. */
    private int substitute(int rank, int otherCluster) {
        int[] own = left(topology.clusterOf(rank));
        int[] others = left(otherCluster);
        int place = Arrays.binarySearch(own, rank);
        return others[(int) ((long) place * others.length / own.length)];
    }

    /** Connects the parts in the order of their lowest ranks, each by that rank to the one before. */
    private Overlay joinParts(Overlay repaired) {
        Overlay.Builder joined = Overlay.builder(topology);
        int[] part = new int[topology.size()];
        Arrays.fill(part, -1);
        int before = -1;
        for (int rank = 0; rank < part.length; rank++) {
            for (int peer : repaired.peers(rank)) {
                if (peer < rank) {
                    joined.connect(rank, peer);
                }
            }
            if (isLeft(rank) && part[rank] < 0) {
                mark(rank, part, repaired);
                if (before >= 0) {
                    joined.connect(rank, before);
                }
                before = rank;
            }
        }
        return joined.build();
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
