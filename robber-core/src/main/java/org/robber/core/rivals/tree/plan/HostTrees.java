package org.robber.core.rivals.tree.plan;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.robber.core.topology.ClusterBandwidths;
import org.robber.core.topology.Topology;

/**
 * Turns trees of clusters into trees of nodes. A link between two clusters becomes several parallel connections between their
 * nodes: as many as cards are needed to fill it, and at least two. Each carries an equal part of every chunk. Inside a cluster,
 * each part goes from the node where it enters along a chain through all others.
 *
 * <p>The publication does not say which nodes are paired. Here the links that carry most choose first. Of each cluster they
 * take the nodes whose cards have most to spare. Where cards are not known, they take those with the fewest connections so far.
 */
public final class HostTrees {
    /** A quotient this close to a whole number is one. */
    private static final double ROUNDING = 1e-9;

    /**
     * The fewest connections of a link whose clusters have as many nodes. On a line with a round trip of 100 ms, the window of one
     * connection is too small if the other direction is full, too. Acknowledgements then wait there, and come in bursts.
     */
    private static final int LEAST_LINES = 2;

    private final Topology topology;
    private final ClusterBandwidths network;
    private final List<ClusterTree> trees;
    private final Load up;
    private final Load down;

    /** The connections of each link that is used. */
    private final TreeMap<Link, int[][]> connections = new TreeMap<>();

    private record Link(int from, int to) implements Comparable<Link> {
        @Override
        public int compareTo(Link other) {
            return from == other.from ? Integer.compare(to, other.to) : Integer.compare(from, other.from);
        }
    }

    private HostTrees(Topology topology, ClusterBandwidths network, List<ClusterTree> trees) {
        this.topology = topology;
        this.network = network;
        this.trees = trees;
        this.up = new Load(topology, network::cardUp);
        this.down = new Load(topology, network::cardDown);
    }

    /**
     * The plan for these trees, with rank 0 as the root.
     *
     * @param paced whether the rates of the trees are kept
     */
    public static Forest of(Topology topology, ClusterBandwidths network, List<ClusterTree> trees, boolean paced) {
        return new HostTrees(topology, network, trees).plan(paced);
    }

    private Forest plan(boolean paced) {
        connect();
        ImmutableList.Builder<Stripe> stripes = ImmutableList.builder();
        for (ClusterTree tree : trees) {
            TreeSet<Double> cuts = new TreeSet<>(List.of(0.0, 1.0));
            for (int cluster = 0; cluster < topology.clusterCount(); cluster++) {
                int lines = tree.parents()[cluster] == Stripe.NONE ? 1 : pairs(tree.parents()[cluster], cluster).length;
                for (int line = 1; line < lines; line++) {
                    cuts.add((double) line / lines);
                }
            }
            // With a single cluster, nothing limits the rate.
            boolean isLimited = Double.isFinite(tree.rate());
            double rate = isLimited ? tree.rate() : 1;
            for (double from = 0; from < 1; from = cuts.higher(from)) {
                double part = cuts.higher(from) - from;
                int[] parents = parents(tree, from + part / 2);
                stripes.add(new Stripe(parents, rate * part, paced && isLimited ? rate * part : 0));
            }
        }
        return new Forest(stripes.build());
    }

    private void connect() {
        TreeMap<Link, Double> rates = new TreeMap<>();
        for (ClusterTree tree : trees) {
            for (int cluster = 0; cluster < tree.parents().length; cluster++) {
                if (tree.parents()[cluster] != Stripe.NONE) {
                    rates.merge(new Link(tree.parents()[cluster], cluster), tree.rate(), Double::sum);
                }
            }
        }
        rates.entrySet().stream()
                .sorted(Comparator.comparingDouble(entry -> -entry.getValue()))
                .forEach(entry -> connections.put(entry.getKey(), connect(entry.getKey(), entry.getValue())));
    }

    private int[][] connect(Link link, double rate) {
        int lines = lines(link);
        int[] senders = up.take(link.from, lines, rate / lines);
        int[] receivers = down.take(link.to, lines, rate / lines);
        int[][] pairs = new int[lines][];
        Arrays.setAll(pairs, line -> new int[] {senders[line], receivers[line]});
        return pairs;
    }

    /** The connections between two clusters, each as the ranks of sender and receiver. */
    private int[][] pairs(int from, int to) {
        return requireNonNull(connections.get(new Link(from, to)));
    }

    /** As many connections as cards are needed for what the link, and the clusters at its ends, can carry, and two at least. */
    private int lines(Link link) {
        int most = Math.min(topology.clusterSize(link.from), topology.clusterSize(link.to));
        double card = Math.min(up.bestCard(link.from), down.bestCard(link.to));
        double rate =
                Math.min(network.rate(link.from, link.to), Math.min(network.up(link.from), network.down(link.to)));
        double cards = Double.isInfinite(card) || card == 0 ? 1 : Math.ceil(rate / card - ROUNDING);
        return (int) Math.min(most, Math.max(LEAST_LINES, cards));
    }

    /**
     * The tree of nodes for one place in the chunk of a tree of clusters.
     *
     * @param place from 0 to 1
     */
    private int[] parents(ClusterTree tree, double place) {
        int[] parents = new int[topology.size()];
        for (int cluster = 0; cluster < topology.clusterCount(); cluster++) {
            int first = 0;
            int outside = Stripe.NONE;
            if (tree.parents()[cluster] != Stripe.NONE) {
                int[][] pairs = pairs(tree.parents()[cluster], cluster);
                int[] pair = pairs[(int) (place * pairs.length)];
                outside = pair[0];
                first = pair[1];
            }
            parents[first] = outside;
            chain(first, parents);
        }
        return parents;
    }

    /** From the node where the data enters through all others of its cluster. */
    private void chain(int first, int[] parents) {
        int cluster = topology.clusterOf(first);
        int size = topology.clusterSize(cluster);
        int start = topology.indexInCluster(first);
        for (int step = 1; step < size; step++) {
            parents[topology.member(cluster, (start + step) % size)] =
                    topology.member(cluster, (start + step - 1) % size);
        }
    }
}
