package org.robber.emulation.bound;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import org.robber.emulation.bound.ClusterNetwork.Arc;

/**
 * The network unrolled in time: each cluster once per layer of time, joined to itself in the next layer without limit, because it
 * keeps its data. The maximum flow to a cluster in the last layer limits the data that it can have.
 *
 * <p>Access lines and cards count as often as a flow to one sink uses them, which is less than a multicast does.
 */
final class TimeNetwork {
    /** Points per cluster and layer: where traffic enters, where it is kept, where it leaves. */
    private static final int POINTS = 3;

    /** Shares are fractions, so their sum may lack this much of 1. */
    private static final double ROUNDING = 1e-9;

    private static final int IN = 0;
    private static final int KEPT = 1;
    private static final int OUT = 2;

    private final int clusters;

    /** The share of the data that each cluster possesses at the start: 1 at the root's. */
    private final double[] shares;

    /** From the super-root, which possesses everything, to each cluster. */
    private final int[] sourceArcs;

    private final int layers;
    private final MaxFlow flow;
    private final List<Limit> limits = new ArrayList<>();

    /** An arc: how much it carries grows with the duration of its layer. */
    private record Limit(int arc, int from, int to, int layer, double rate) {}

    /**
     * Unrolls.
     *
     * @param layers the network in each layer; the clusters are always the same
     */
    TimeNetwork(ImmutableList<ClusterNetwork> layers) {
        this(layers, atRoot(layers.get(0)));
    }

    /**
     * Unrolls.
     *
     * @param shares the share of the data that each cluster possesses at the start, 0..1
     */
    TimeNetwork(ImmutableList<ClusterNetwork> layers, double[] shares) {
        this.clusters = layers.get(0).size();
        this.shares = shares.clone();
        this.sourceArcs = new int[clusters];
        this.layers = layers.size();
        int superRoot = clusters * this.layers * POINTS;
        this.flow = new MaxFlow(superRoot + 1, superRoot);
        for (int cluster = 0; cluster < clusters; cluster++) {
            sourceArcs[cluster] = flow.addArc(superRoot, point(cluster, 0, KEPT), 0);
        }
        for (int layer = 0; layer < layers.size(); layer++) {
            addLayer(layers.get(layer), layer);
        }
    }

    private static double[] atRoot(ClusterNetwork network) {
        double[] shares = new double[network.size()];
        shares[network.root()] = 1;
        return shares;
    }

    private void addLayer(ClusterNetwork network, int layer) {
        for (int cluster = 0; cluster < clusters; cluster++) {
            ClusterLimits limit = network.clusters().get(cluster);
            add(cluster, IN, cluster, KEPT, layer, limit.wanDown());
            add(cluster, KEPT, cluster, OUT, layer, limit.wanUp());
            if (layer > 0) {
                flow.addArc(point(cluster, layer - 1, KEPT), point(cluster, layer, KEPT), Double.POSITIVE_INFINITY);
            }
        }
        for (Arc arc : network.arcs()) {
            add(arc.from(), OUT, arc.to(), IN, layer, arc.rate());
        }
    }

    private void add(int from, int fromPoint, int to, int toPoint, int layer, double rate) {
        int start = point(from, layer, fromPoint);
        int end = point(to, layer, toPoint);
        limits.add(new Limit(flow.addArc(start, end, 0), start, end, layer, rate));
    }

    private int point(int cluster, int layer, int kind) {
        return (layer * clusters + cluster) * POINTS + kind;
    }

    /** The least of the maximum flows to all clusters, with these durations of the layers; infinite without limits. */
    double leastFlow(double[] seconds) {
        setDurations(seconds, 0);
        double least = Double.POSITIVE_INFINITY;
        for (int sink = 0; sink < clusters; sink++) {
            if (shares[sink] < 1) {
                least = flow.to(point(sink, layers - 1, KEPT), least);
            }
        }
        return least;
    }

    /**
     * The shortest duration of the last layer with which the flow to every cluster reaches an amount; infinite if there is none.
     *
     * @param seconds duration of each layer but the last, whose entry is overwritten with the result
     */
    double lastSeconds(double[] seconds, double amount) {
        seconds[layers - 1] = 0;
        for (int sink = 0; sink < clusters; sink++) {
            if (shares[sink] < 1) {
                lengthenFor(point(sink, layers - 1, KEPT), seconds, amount);
            }
        }
        return seconds[layers - 1];
    }

    /** Newton's method: each minimum cut gives the duration that makes this cut wide enough. */
    private void lengthenFor(int sink, double[] seconds, double amount) {
        int last = layers - 1;
        while (!Double.isInfinite(seconds[last])) {
            setDurations(seconds, amount);
            if (flow.to(sink, amount) >= amount * (1 - ROUNDING)) {
                return;
            }
            double fixed = 0;
            double perSecond = 0;
            for (int cluster = 0; cluster < clusters; cluster++) {
                if (!flow.isOnSourceSide(point(cluster, 0, KEPT))) {
                    fixed += shares[cluster] * amount;
                }
            }
            for (Limit limit : limits) {
                if (flow.isOnSourceSide(limit.from) && !flow.isOnSourceSide(limit.to)) {
                    if (limit.layer == last) {
                        perSecond += limit.rate;
                    } else {
                        fixed += limit.rate * seconds[limit.layer];
                    }
                }
            }
            double needed = perSecond > 0 ? (amount - fixed) / perSecond : Double.POSITIVE_INFINITY;
            if (needed <= seconds[last]) {
                // The cut is wide enough: the difference is rounding.
                return;
            }
            seconds[last] = needed;
        }
    }

    private void setDurations(double[] seconds, double amount) {
        for (int cluster = 0; cluster < clusters; cluster++) {
            double share = shares[cluster];
            flow.setCapacity(sourceArcs[cluster], share == 1 ? Double.POSITIVE_INFINITY : share * amount);
        }
        for (Limit limit : limits) {
            // Where there is no limit, no time is needed.
            flow.setCapacity(limit.arc, Double.isInfinite(limit.rate) ? limit.rate : limit.rate * seconds[limit.layer]);
        }
    }
}
