package org.robber.emulation.bound;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.robber.emulation.bound.ClusterNetwork.Arc;
import org.robber.emulation.scenario.Phase;
import org.robber.emulation.scenario.Scenario;

/** How long bytes take over the lines between groups of clusters, if nothing else limits them. */
final class Cuts {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final int MOST_CLUSTERS_FOR_ALL_CUTS = 16;

    private final ImmutableList<ClusterNetwork> networks;
    private final double[] starts;
    private final int clusters;

    /** The lines of a scenario. */
    Cuts(Scenario scenario) {
        List<Phase> phases = scenario.phases();
        this.networks = phases.stream()
                .map(phase -> ClusterNetwork.of(scenario, phase))
                .collect(ImmutableList.toImmutableList());
        this.starts = phases.stream()
                .mapToDouble(phase -> phase.atNanos() / NANOS_PER_SECOND)
                .toArray();
        this.clusters = scenario.clusters().size();
    }

    /** The network of each phase. */
    ImmutableList<ClusterNetwork> networks() {
        return networks;
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
        return seconds(bytes, network -> width(network, arc -> sources.get(arc.from()) && !sources.get(arc.to())));
    }

    /** Seconds in which so many bytes go from clusters of one group to clusters of another; infinite if they cannot. */
    double secondsBetween(IntUnaryOperator groupOf, double bytes) {
        return seconds(
                bytes,
                network -> width(network, arc -> groupOf.applyAsInt(arc.from()) != groupOf.applyAsInt(arc.to())));
    }

    /** Which links count. */
    @FunctionalInterface
    private interface Crossing {
        boolean isCrossedBy(Arc arc);
    }

    /** What these links carry. */
    @FunctionalInterface
    private interface Rate {
        double in(ClusterNetwork network);
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

    /** When so many bytes have passed, at a rate for each phase. */
    private double seconds(double bytes, Rate rate) {
        double left = bytes;
        for (int phase = 0; phase < starts.length; phase++) {
            double end = phase + 1 < starts.length ? starts[phase + 1] : Double.POSITIVE_INFINITY;
            double perSecond = rate.in(networks.get(phase));
            if (left <= 0) {
                return starts[phase];
            }
            if (perSecond > 0 && left <= perSecond * (end - starts[phase])) {
                return starts[phase] + left / perSecond;
            }
            left -= perSecond * (end - starts[phase]);
        }
        return bytes > 0 ? Double.POSITIVE_INFINITY : 0;
    }
}
