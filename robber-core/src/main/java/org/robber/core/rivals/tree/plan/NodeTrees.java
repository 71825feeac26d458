package org.robber.core.rivals.tree.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.robber.core.topology.Topology;

/** Single trees over nodes that need no bandwidths. All are rooted at rank 0. */
public final class NodeTrees {

    private NodeTrees() {}

    /** A chain through all nodes, cluster by cluster, so that each line between clusters is crossed once. */
    public static int[] chain(Topology topology) {
        int[] parents = new int[topology.size()];
        int previous = Stripe.NONE;
        for (int cluster = 0; cluster < topology.clusterCount(); cluster++) {
            for (int rank : topology.members(cluster)) {
                parents[rank] = previous;
                previous = rank;
            }
        }
        return parents;
    }

    /** The binomial tree over all ranks, blind to clusters: the parent is the rank without its lowest set bit. */
    public static int[] binomial(Topology topology) {
        int[] parents = new int[topology.size()];
        Arrays.setAll(parents, NodeTrees::binomialParent);
        return parents;
    }

    private static int binomialParent(int place) {
        return place == 0 ? Stripe.NONE : place & (place - 1);
    }

    /** Every node gets all data from the root. */
    public static int[] star(Topology topology) {
        int[] parents = new int[topology.size()];
        parents[0] = Stripe.NONE;
        return parents;
    }

    /** The root sends to one node of each cluster, and this one along a binomial tree through its cluster. */
    public static int[] flat(Topology topology) {
        int[] parents = star(topology);
        for (int cluster = 0; cluster < topology.clusterCount(); cluster++) {
            for (int index = 1; index < topology.clusterSize(cluster); index++) {
                parents[topology.member(cluster, index)] = topology.member(cluster, binomialParent(index));
            }
        }
        return parents;
    }

    /**
     * As {@link #flat}, in as many levels as the names of clusters have: {@code europe/paris/rack1} belongs to the group
     * {@code europe/paris}, and this to {@code europe}. At the widest level the root sends to one node of each group. At each
     * level below, the node where the data entered a group sends along a binomial tree to one node of each subgroup.
     */
    public static int[] multilayer(Topology topology) {
        int[] parents = star(topology);
        List<Integer> all = IntStream.range(0, topology.size()).boxed().toList();
        spread(topology, all, 0, true, parents);
        return parents;
    }

    /**
     * Spreads the data, which the first of the ranks has.
     *
     * @param isWidest whether all ranks belong together at all wider levels, and so this may be the widest that counts
     */
    private static void spread(Topology topology, List<Integer> ranks, int level, boolean isWidest, int[] parents) {
        Map<String, List<Integer>> groups = new LinkedHashMap<>();
        for (int rank : ranks) {
            groups.computeIfAbsent(
                            prefix(topology.clusterName(topology.clusterOf(rank)), level), key -> new ArrayList<>())
                    .add(rank);
        }
        List<Integer> entries =
                groups.values().stream().map(group -> group.get(0)).toList();
        for (int place = 1; place < entries.size(); place++) {
            parents[entries.get(place)] = entries.get(isWidest ? 0 : binomialParent(place));
        }
        for (List<Integer> group : groups.values()) {
            String name = topology.clusterName(topology.clusterOf(group.get(0)));
            if (group.size() > 1 && groups.size() == 1 && prefix(name, level).equals(name)) {
                for (int place = 1; place < group.size(); place++) {
                    parents[group.get(place)] = group.get(binomialParent(place));
                }
            } else if (group.size() > 1) {
                spread(topology, group, level + 1, isWidest && groups.size() == 1, parents);
            }
        }
    }

    /** The first parts of a name, one more than the level; the whole name if it has no more. */
    private static String prefix(String name, int level) {
        int end = -1;
        for (int part = 0; part <= level; part++) {
            end = name.indexOf('/', end + 1);
            if (end < 0) {
                return name;
            }
        }
        return name.substring(0, end);
    }
}
