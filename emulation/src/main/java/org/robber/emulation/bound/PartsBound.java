package org.robber.emulation.bound;

import java.util.BitSet;
import org.robber.emulation.scenario.ClusterSpec;
import org.robber.emulation.scenario.Collective;
import org.robber.emulation.scenario.NicScope;
import org.robber.emulation.scenario.Scenario;

/**
 * The shortest time of a collective call in which nodes want parts: scatter, gather, allToAll. Each cut between clusters has to carry
 * what nodes on one side want from nodes on the other; the slowest cut is a lower limit, whatever the routes. With a few clusters whose links do not
 * change, a {@linkplain PartsProgram linear programme} finds the best routes. The card of each node, or that and its LAN, carries what the node sends and receives.
 */
final class PartsBound {
    private static final double ROUNDING = 1e-9;

    private PartsBound() {}

    /** Finds it. With many clusters, only the cuts around one cluster are looked at. */
    static CollectiveBound of(Scenario scenario, Collective collective, long dataBytes) {
        Cuts cuts = new Cuts(scenario);
        double[][] demand = demand(scenario, collective, dataBytes);
        double lines = 0;
        for (BitSet sources : cuts.sources()) {
            lines = Math.max(lines, cuts.seconds(sources, bytesLeaving(sources, demand)));
        }
        ClusterNetwork network = cuts.network().first();
        boolean hasProgram = cuts.network().isSteady() && network.size() <= PartsProgram.MOST_CLUSTERS;
        if (hasProgram && lines > 0 && lines < Double.POSITIVE_INFINITY) {
            lines = Math.max(lines, PartsProgram.seconds(network, demand));
        }
        double cards = cardSeconds(scenario, collective, dataBytes);
        double seconds = Math.max(lines, cards);
        boolean localIsFree = network.clusters().stream().allMatch(ClusterLimits::isLocalFree);
        return new CollectiveBound(seconds, hasProgram && localIsFree && cards <= seconds * ROUNDING);
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

    /**
     * The time that the slowest card takes for what must leave and enter its node. Where the LAN is a network of its own, only what leaves
     * the cluster counts, and mates carry what a card is too slow for.
     */
    private static double cardSeconds(Scenario scenario, Collective collective, long dataBytes) {
        double slowest = 0;
        for (int rank = 0; rank < scenario.nodeCount(); rank++) {
            double sent = 0;
            double received = 0;
            int cluster = scenario.placeOf(rank).cluster();
            ClusterSpec spec = scenario.clusters().get(cluster);
            for (int other = 0; other < scenario.nodeCount(); other++) {
                if (spec.nic() == NicScope.ALL || scenario.placeOf(other).cluster() != cluster) {
                    sent += collective.share(scenario, rank, other);
                    received += collective.share(scenario, other, rank);
                }
            }
            int index = scenario.placeOf(rank).index();
            boolean haveMatesALan = spec.nic() == NicScope.WAN && spec.nodes() > 1;
            double up = spec.nodeUp().get(index) + (haveMatesALan ? Math.min(spec.lanUp(), spec.lan()) : 0);
            double down = spec.nodeDown().get(index) + (haveMatesALan ? Math.min(spec.lanDown(), spec.lan()) : 0);
            slowest = Math.max(slowest, dataBytes * Math.max(sent / up, received / down));
        }
        return slowest;
    }

    private static double bytesLeaving(BitSet sources, double[][] demand) {
        double bytes = 0;
        for (int from = 0; from < demand.length; from++) {
            for (int to = 0; to < demand.length; to++) {
                bytes += sources.get(from) && !sources.get(to) ? demand[from][to] : 0;
            }
        }
        return bytes;
    }
}
