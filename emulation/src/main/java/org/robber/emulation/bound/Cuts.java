package org.robber.emulation.bound;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.robber.emulation.bound.ClusterNetwork.Arc;
import org.robber.emulation.scenario.Scenario;

/** How long bytes take over the lines between groups of clusters, if nothing else limits them. */
final class Cuts {
    private static final int MOST_CLUSTERS_FOR_ALL_CUTS = 16;

    private final PhasedNetwork network;
    private final int clusters;

    /** The lines of a scenario. */
    Cuts(Scenario scenario) {
        this.network = PhasedNetwork.of(scenario);
        this.clusters = scenario.clusters().size();
    }

    /** The network that is cut. */
    PhasedNetwork network() {
        return network;
    }

    /** Whether {@link #sources} are all sets. */
    boolean areAll() {
        return clusters <= MOST_CLUSTERS_FOR_ALL_CUTS;
    }

    /** Every set of clusters that is neither empty nor all; with many clusters, only single ones and all but single ones. */
    List<BitSet> sources() {
        List<BitSet> sets = new ArrayList<>();
        if (areAll()) {
            for (long bits = 1; bits < (1L << clusters) - 1; bits++) {
                sets.add(BitSet.valueOf(new long[] {bits}));
            }
        } else {
            for (int cluster = 0; cluster < clusters; cluster++) {
                BitSet alone = new BitSet();
                alone.set(cluster);
                BitSet others = new BitSet();
                others.set(0, clusters);
                others.clear(cluster);
                sets.add(alone);
                sets.add(others);
            }
        }
        return sets;
    }

    /** Seconds in which so many bytes leave these clusters for the others; infinite if they cannot. */
    double seconds(BitSet sources, double bytes) {
        return seconds(bytes, arc -> sources.get(arc.from()) && !sources.get(arc.to()));
    }

    /** Seconds in which so many bytes go from clusters of one group to clusters of another; infinite if they cannot. */
    double secondsBetween(IntUnaryOperator groupOf, double bytes) {
        return seconds(bytes, arc -> groupOf.applyAsInt(arc.from()) != groupOf.applyAsInt(arc.to()));
    }

    /** Which links count. */
    @FunctionalInterface
    private interface Crossing {
        boolean isCrossedBy(Arc arc);
    }

    private double seconds(double bytes, Crossing crossing) {
        return bytes > 0
                ? network.secondsOf(bytes, phase -> width(network.networks().get(phase), crossing))
                : 0;
    }

    /** Bytes per second that these links carry, or the access lines before or behind them. */
    private static double width(ClusterNetwork network, Crossing crossing) {
        double[] out = new double[network.size()];
        double[] in = new double[network.size()];
        for (Arc arc : network.arcs()) {
            if (crossing.isCrossedBy(arc)) {
                out[arc.from()] += arc.rate();
                in[arc.to()] += arc.rate();
            }
        }
        double leaving = 0;
        double entering = 0;
        for (int cluster = 0; cluster < network.size(); cluster++) {
            leaving += Math.min(out[cluster], network.clusters().get(cluster).wanUp());
            entering += Math.min(in[cluster], network.clusters().get(cluster).wanDown());
        }
        return Math.min(leaving, entering);
    }
}
