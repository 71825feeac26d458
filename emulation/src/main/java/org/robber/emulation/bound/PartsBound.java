package org.robber.emulation.bound;

import com.google.common.collect.ImmutableList;
import java.util.BitSet;
import java.util.List;
import org.robber.emulation.bound.ClusterNetwork.Arc;
import org.robber.emulation.scenario.Collective;
import org.robber.emulation.scenario.Phase;
import org.robber.emulation.scenario.Scenario;

/**
 * The shortest time of a collective call in which nodes want parts: scatter, gather, allToAll. Each cut between clusters has to carry
 * what nodes on one side want from nodes on the other; the slowest cut is a lower limit, whatever the routes. If sending everything
 * directly is as fast, it is reached. The card of each node carries what the node sends and receives.
 *
 * @param seconds infinite if some node cannot be reached
 * @param isProven whether it is certain that it can be reached
 */
record PartsBound(double seconds, boolean isProven) {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double ROUNDING = 1e-9;
    private static final int MOST_CLUSTERS_FOR_ALL_CUTS = 16;

    /** Finds it. With many clusters, only the cuts around one cluster are looked at. */
    static PartsBound of(Scenario scenario, Collective collective, long dataBytes) {
        List<Phase> phases = scenario.phases();
        ImmutableList<ClusterNetwork> networks = phases.stream()
                .map(phase -> ClusterNetwork.of(scenario, phase))
                .collect(ImmutableList.toImmutableList());
        double[] starts = phases.stream()
                .mapToDouble(phase -> phase.atNanos() / NANOS_PER_SECOND)
                .toArray();
        double[][] demand = demand(scenario, collective, dataBytes);
        double seconds = cardSeconds(scenario, collective, dataBytes);
        double direct = seconds;
        int clusters = demand.length;
        if (clusters <= MOST_CLUSTERS_FOR_ALL_CUTS) {
            for (int sources = 1; sources < (1 << clusters) - 1; sources++) {
                seconds = Math.max(seconds, cutSeconds(networks, starts, demand, set(clusters, sources)));
            }
        } else {
            for (int cluster = 0; cluster < clusters; cluster++) {
                BitSet alone = new BitSet();
                alone.set(cluster);
                seconds = Math.max(seconds, cutSeconds(networks, starts, demand, alone));
                alone.flip(0, clusters);
                seconds = Math.max(seconds, cutSeconds(networks, starts, demand, alone));
            }
        }
        for (int from = 0; from < clusters; from++) {
            for (int to = 0; to < clusters; to++) {
                if (from != to) {
                    double[] rates = new double[networks.size()];
                    for (int phase = 0; phase < rates.length; phase++) {
                        rates[phase] = rate(networks.get(phase), from, to);
                    }
                    direct = Math.max(direct, seconds(starts, rates, demand[from][to]));
                }
            }
        }
        boolean localIsFree = networks.get(0).clusters().stream().allMatch(ClusterLimits::isLocalFree);
        return new PartsBound(seconds, phases.size() == 1 && localIsFree && direct <= seconds * (1 + ROUNDING));
    }

    /** Bytes that nodes of one cluster bring to nodes of another. */
    private static double[][] demand(Scenario scenario, Collective collective, long dataBytes) {
        int clusters = scenario.clusters().size();
        double[][] demand = new double[clusters][clusters];
        for (int from = 0; from < scenario.nodeCount(); from++) {
            for (int to = 0; to < scenario.nodeCount(); to++) {
                demand[scenario.placeOf(from).cluster()][scenario.placeOf(to).cluster()] +=
                        dataBytes * collective.share(scenario, from, to);
            }
        }
        return demand;
    }

    /** The time that the slowest card takes for what must leave and enter its node, as far as it leaves the cluster. */
    private static double cardSeconds(Scenario scenario, Collective collective, long dataBytes) {
        double slowest = 0;
        for (int rank = 0; rank < scenario.nodeCount(); rank++) {
            double sent = 0;
            double received = 0;
            int cluster = scenario.placeOf(rank).cluster();
            for (int other = 0; other < scenario.nodeCount(); other++) {
                if (scenario.placeOf(other).cluster() != cluster) {
                    sent += collective.share(scenario, rank, other);
                    received += collective.share(scenario, other, rank);
                }
            }
            int index = scenario.placeOf(rank).index();
            slowest = Math.max(
                    slowest,
                    dataBytes * sent / scenario.clusters().get(cluster).nodeUp().get(index));
            slowest = Math.max(
                    slowest,
                    dataBytes
                            * received
                            / scenario.clusters().get(cluster).nodeDown().get(index));
        }
        return slowest;
    }

    private static BitSet set(int clusters, int bits) {
        BitSet set = new BitSet(clusters);
        for (int cluster = 0; cluster < clusters; cluster++) {
            set.set(cluster, (bits >> cluster & 1) == 1);
        }
        return set;
    }

    /** @param sources the clusters on one side */
    private static double cutSeconds(
            List<ClusterNetwork> networks, double[] starts, double[][] demand, BitSet sources) {
        double bytes = 0;
        for (int from = 0; from < demand.length; from++) {
            for (int to = 0; to < demand.length; to++) {
                bytes += crosses(sources, from, to) ? demand[from][to] : 0;
            }
        }
        double[] rates = new double[networks.size()];
        for (int phase = 0; phase < rates.length; phase++) {
            rates[phase] = width(networks.get(phase), sources);
        }
        return seconds(starts, rates, bytes);
    }

    private static boolean crosses(BitSet sources, int from, int to) {
        return sources.get(from) && !sources.get(to);
    }

    /** Bytes per second that the links over the cut carry, or the access lines before or behind them. */
    private static double width(ClusterNetwork network, BitSet sources) {
        double[] out = new double[network.size()];
        double[] in = new double[network.size()];
        for (Arc arc : network.arcs()) {
            if (crosses(sources, arc.from(), arc.to())) {
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

    private static double rate(ClusterNetwork network, int from, int to) {
        return network.arcs().stream()
                .filter(arc -> arc.from() == from && arc.to() == to)
                .mapToDouble(Arc::rate)
                .sum();
    }

    /** When so many bytes have passed, at a rate for each phase. */
    private static double seconds(double[] starts, double[] rates, double bytes) {
        double left = bytes;
        for (int phase = 0; phase < starts.length; phase++) {
            double end = phase + 1 < starts.length ? starts[phase + 1] : Double.POSITIVE_INFINITY;
            if (left <= 0) {
                return starts[phase];
            }
            if (rates[phase] > 0 && left <= rates[phase] * (end - starts[phase])) {
                return starts[phase] + left / rates[phase];
            }
            left -= rates[phase] * (end - starts[phase]);
        }
        return bytes > 0 ? Double.POSITIVE_INFINITY : 0;
    }
}
