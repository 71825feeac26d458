package org.robber.core.rivals.tree.plan;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.robber.core.topology.ClusterBandwidths;

/** Trees over clusters, by the bandwidths of the links between them. */
public final class ClusterTrees {
    /** Plans over more clusters than this would take too long. */
    static final int MAX_CLUSTERS = 256;

    /** With more clusters there are too many trees to look at all of them. */
    public static final int MAX_CLUSTERS_FOR_ALL = 7;

    /** What is left of a link below this part of its rate is an error of arithmetic. */
    private static final double NOTHING_LEFT = 1e-9;

    private ClusterTrees() {}

    /**
     * The trees of FPFR. Each is found by depth-first search from the root over links that have something left, with neighbours
     * in the order of their numbers. It takes the least of what its links have left. The last is the one after which no tree
     * reaches every cluster. Each tree exhausts a link, so there are at most (n-1)^2.
     *
     * <p>Source: Izmailov, Ganguly and Tu, "Fast Parallel File Replication in Data Grid", GGF-10, 2004; as retold in den
     * Burger, Kielmann and Bal, "Balanced Multicasting", SC 2005.
     *
     * @throws IllegalArgumentException if some cluster cannot be reached at all
     */
    public static ImmutableList<ClusterTree> fpfr(ClusterBandwidths network, int root) {
        checkCount(network);
        int count = network.clusterCount();
        if (count == 1) {
            return ImmutableList.of(new ClusterTree(new int[] {Stripe.NONE}, Double.POSITIVE_INFINITY));
        }
        double[][] left = rates(network);
        ImmutableList.Builder<ClusterTree> trees = ImmutableList.builder();
        int[] parents = search(left, root);
        checkReached(network, parents, root);
        while (Arrays.stream(parents).filter(parent -> parent < 0).count() == 1) {
            double rate = Double.POSITIVE_INFINITY;
            for (int cluster = 0; cluster < count; cluster++) {
                rate = cluster == root ? rate : Math.min(rate, left[parents[cluster]][cluster]);
            }
            checkArgument(Double.isFinite(rate), "no link limits the rate: bandwidths must be finite");
            trees.add(new ClusterTree(parents, rate));
            for (int cluster = 0; cluster < count; cluster++) {
                if (cluster != root) {
                    double rest = left[parents[cluster]][cluster] - rate;
                    boolean isNothing = rest <= NOTHING_LEFT * network.rate(parents[cluster], cluster);
                    left[parents[cluster]][cluster] = isNothing ? 0 : rest;
                }
            }
            parents = search(left, root);
        }
        return trees.build();
    }

    private static double[][] rates(ClusterBandwidths network) {
        int count = network.clusterCount();
        double[][] rates = new double[count][count];
        for (int from = 0; from < count; from++) {
            for (int to = 0; to < count; to++) {
                rates[from][to] = from == to ? 0 : network.rate(from, to);
            }
        }
        return rates;
    }

    private static int[] search(double[][] left, int root) {
        int[] parents = new int[left.length];
        Arrays.fill(parents, Stripe.NONE);
        visit(left, root, root, parents);
        return parents;
    }

    private static void visit(double[][] left, int root, int cluster, int[] parents) {
        for (int next = 0; next < left.length; next++) {
            if (next != root && parents[next] == Stripe.NONE && left[cluster][next] > 0) {
                parents[next] = cluster;
                visit(left, root, next, parents);
            }
        }
    }

    /**
     * The maximum-bottleneck tree: grown from the root by the best link to the outside, Prim's way. Its rate is what the
     * links, and what each cluster sends and receives, allow.
     */
    public static ClusterTree maxBottleneck(ClusterBandwidths network, int root) {
        checkCount(network);
        int count = network.clusterCount();
        int[] parents = new int[count];
        Arrays.fill(parents, Stripe.NONE);
        for (int added = 1; added < count; added++) {
            double best = 0;
            int bestFrom = Stripe.NONE;
            int bestTo = Stripe.NONE;
            for (int from = 0; from < count; from++) {
                for (int to = 0; to < count; to++) {
                    boolean leads = isInside(parents, root, from) && !isInside(parents, root, to);
                    if (leads && network.rate(from, to) > best) {
                        best = network.rate(from, to);
                        bestFrom = from;
                        bestTo = to;
                    }
                }
            }
            if (bestTo == Stripe.NONE) {
                checkReached(network, parents, root);
            }
            parents[bestTo] = bestFrom;
        }
        return limited(network, parents);
    }

    private static boolean isInside(int[] parents, int root, int cluster) {
        return cluster == root || parents[cluster] != Stripe.NONE;
    }

    /** The tree in which the root's cluster sends to all others. */
    public static ClusterTree flat(ClusterBandwidths network, int root) {
        int[] parents = new int[network.clusterCount()];
        Arrays.fill(parents, root);
        parents[root] = Stripe.NONE;
        return limited(network, parents);
    }

    /**
     * All trees there are, n^(n-2) of them.
     *
     * @throws IllegalArgumentException if there are too many, or some cluster cannot be reached at all
     */
    public static ImmutableList<ClusterTree> all(ClusterBandwidths network, int root) {
        int count = network.clusterCount();
        checkArgument(
                count <= MAX_CLUSTERS_FOR_ALL,
                "%s clusters have too many trees to look at all of them, which is for at most %s: leave out exact",
                count,
                MAX_CLUSTERS_FOR_ALL);
        checkReached(network, search(rates(network), root), root);
        ImmutableList.Builder<ClusterTree> trees = ImmutableList.builder();
        int[] parents = new int[count];
        parents[root] = Stripe.NONE;
        chooseParents(network, root, 0, parents, trees);
        return trees.build();
    }

    private static void chooseParents(
            ClusterBandwidths network, int root, int cluster, int[] parents, ImmutableList.Builder<ClusterTree> trees) {
        if (cluster == parents.length) {
            if (isTree(parents)) {
                trees.add(limited(network, parents.clone()));
            }
        } else if (cluster == root) {
            chooseParents(network, root, cluster + 1, parents, trees);
        } else {
            for (int parent = 0; parent < parents.length; parent++) {
                if (parent != cluster && network.rate(parent, cluster) > 0) {
                    parents[cluster] = parent;
                    chooseParents(network, root, cluster + 1, parents, trees);
                }
            }
        }
    }

    private static boolean isTree(int[] parents) {
        for (int cluster = 0; cluster < parents.length; cluster++) {
            int steps = 0;
            for (int at = cluster; parents[at] != Stripe.NONE; at = parents[at]) {
                if (++steps == parents.length) {
                    return false;
                }
            }
        }
        return true;
    }

    /** The tree with the rate that it has alone. */
    private static ClusterTree limited(ClusterBandwidths network, int[] parents) {
        ClusterTree tree = new ClusterTree(parents, 0);
        double rate = Double.POSITIVE_INFINITY;
        for (int cluster = 0; cluster < parents.length; cluster++) {
            if (tree.outdegree(cluster) > 0) {
                rate = Math.min(rate, network.up(cluster) / tree.outdegree(cluster));
            }
            if (parents[cluster] != Stripe.NONE) {
                rate = Math.min(rate, Math.min(network.rate(parents[cluster], cluster), network.down(cluster)));
            }
        }
        return tree.withRate(rate);
    }

    private static void checkCount(ClusterBandwidths network) {
        checkArgument(
                network.clusterCount() <= MAX_CLUSTERS,
                "%s clusters are too many to plan for: at most %s",
                network.clusterCount(),
                MAX_CLUSTERS);
    }

    private static void checkReached(ClusterBandwidths network, int[] parents, int root) {
        String missed = IntStream.range(0, parents.length)
                .filter(cluster -> !isInside(parents, root, cluster))
                .mapToObj(network::name)
                .collect(Collectors.joining(", "));
        checkArgument(
                missed.isEmpty(),
                "by the bandwidths at the start, nothing reaches cluster %s from %s: all links on the way have a rate"
                        + " of 0; %s",
                missed,
                network.name(root),
                Infeasible.ADVICE);
    }
}
