package org.robber.core.topology;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Ints;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All nodes of a job and the clusters they belong to. Nodes are known by their rank, 0..size-1; clusters by a number, in
 * the order in which they first appear by rank. Immutable.
 */
public final class Topology {

    /** No job has more nodes than this: the hard limit for ranks and counts of nodes on the wire. */
    public static final int MAX_NODES = 100_000;

    private final ImmutableList<String> clusterNames;
    private final int[] clusterOfRank;
    private final int[] indexOfRank;
    private final int[][] members;

    private Topology(ImmutableList<String> clusterNames, int[] clusterOfRank, int[] indexOfRank, int[][] members) {
        this.clusterNames = clusterNames;
        this.clusterOfRank = clusterOfRank;
        this.indexOfRank = indexOfRank;
        this.members = members;
    }

    /**
     * The topology in which the node of rank i belongs to the i-th named cluster.
     *
     * @param clusterNameOfRank a name for each rank, 1..{@link #MAX_NODES} of them
     */
    public static Topology of(List<String> clusterNameOfRank) {
        checkArgument(!clusterNameOfRank.isEmpty(), "no nodes");
        checkArgument(
                clusterNameOfRank.size() <= MAX_NODES, "%s nodes, of at most %s", clusterNameOfRank.size(), MAX_NODES);
        Map<String, List<Integer>> ranksOf = new LinkedHashMap<>();
        for (int rank = 0; rank < clusterNameOfRank.size(); rank++) {
            ranksOf.computeIfAbsent(clusterNameOfRank.get(rank), name -> new ArrayList<>())
                    .add(rank);
        }
        int[] clusterOfRank = new int[clusterNameOfRank.size()];
        int[] indexOfRank = new int[clusterNameOfRank.size()];
        int[][] members = new int[ranksOf.size()][];
        int cluster = 0;
        for (List<Integer> ranks : ranksOf.values()) {
            members[cluster] = ranks.stream().mapToInt(Integer::intValue).toArray();
            for (int index = 0; index < members[cluster].length; index++) {
                clusterOfRank[members[cluster][index]] = cluster;
                indexOfRank[members[cluster][index]] = index;
            }
            cluster++;
        }
        return new Topology(ImmutableList.copyOf(ranksOf.keySet()), clusterOfRank, indexOfRank, members);
    }

    /** The topology of clusters of the given sizes, each at least 1, named A, B, ..., ranks in order. */
    public static Topology ofSizes(int... clusterSizes) {
        List<String> names = new ArrayList<>();
        for (int cluster = 0; cluster < clusterSizes.length; cluster++) {
            checkArgument(clusterSizes[cluster] >= 1, "size of cluster %s: %s", cluster, clusterSizes[cluster]);
            for (int i = 0; i < clusterSizes[cluster]; i++) {
                names.add(letters(cluster));
            }
        }
        return of(names);
    }

    /** The name of the n-th cluster as users see it if it was given no name: A..Z, AA, AB, ... */
    public static String letters(int cluster) {
        checkArgument(cluster >= 0, "cluster: %s", cluster);
        String last = String.valueOf((char) ('A' + cluster % 26));
        return cluster < 26 ? last : letters(cluster / 26 - 1) + last;
    }

    /** Number of nodes. */
    public int size() {
        return clusterOfRank.length;
    }

    /** Number of clusters. */
    public int clusterCount() {
        return members.length;
    }

    /** The cluster's name. */
    public String clusterName(int cluster) {
        return clusterNames.get(cluster);
    }

    /** The number of the cluster that the node belongs to. */
    public int clusterOf(int rank) {
        return clusterOfRank[rank];
    }

    /** The node's place among the members of its cluster, from 0. */
    public int indexInCluster(int rank) {
        return indexOfRank[rank];
    }

    /** Number of nodes in the cluster. */
    public int clusterSize(int cluster) {
        return members[cluster].length;
    }

    /** The rank of the member of this cluster with this index. */
    public int member(int cluster, int index) {
        return members[cluster][index];
    }

    /** The ranks of all members of the cluster, by their index; a new array. */
    public int[] members(int cluster) {
        return members[cluster].clone();
    }

    /** Whether both nodes belong to one cluster. */
    public boolean sameCluster(int rank, int otherRank) {
        return clusterOfRank[rank] == clusterOfRank[otherRank];
    }

    /**
     * The most connections that the planned overlay leads into one cluster from all others. Of two clusters, each node of the
     * larger one has a peer in the other. So this is the number of the largest cluster, or 0 if there is but one. At most {@link
     * Integer#MAX_VALUE}.
     */
    public int mostLinesIntoACluster() {
        long largest =
                Arrays.stream(members).mapToInt(ranks -> ranks.length).max().orElse(0);
        return Ints.saturatedCast((clusterCount() - 1) * largest);
    }

    /** The connections that the planned overlay leads between the clusters of two nodes of different clusters: each node of the larger one has one. */
    public int linesBetween(int rank, int otherRank) {
        return Math.max(clusterSize(clusterOf(rank)), clusterSize(clusterOf(otherRank)));
    }

    /** The node as users see it: its cluster and its index there, such as {@code B-3}. */
    public String nodeName(int rank) {
        return clusterName(clusterOf(rank)) + "-" + indexInCluster(rank);
    }
}
