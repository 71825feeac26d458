package org.robber.emulation.bound;

import com.google.common.collect.ImmutableList;
import java.util.HashMap;
import java.util.Map;
import org.robber.emulation.bound.PhasedNetwork.Layers;
import org.robber.emulation.scenario.ClusterSpec;
import org.robber.emulation.scenario.Collective;
import org.robber.emulation.scenario.NicScope;
import org.robber.emulation.scenario.NodePlace;
import org.robber.emulation.scenario.Scenario;

/**
 * The shortest time of a collective call. Where nodes want parts, it is that of {@link PartsBound}; of reductions, that of {@link ReductionBound}. Otherwise a super-root
 * possesses everything and reaches each owner's cluster by an arc that carries as much as the cluster possesses. All clusters can
 * receive everything in a time if every cut between the super-root and another cluster carries that much in it (Edmonds,
 * "Edge-disjoint branchings", 1973).
 *
 * @param seconds infinite if some cluster cannot be reached
 * @param isProven whether it is certain that it can be reached. It is not where access lines, cards or LANs carry the data of several
 *     flows; there the time is a lower limit
 */
public record CollectiveBound(double seconds, boolean isProven) {
    /** Finds it. */
    public static CollectiveBound of(Scenario scenario, Collective collective, long dataBytes) {
        if (collective.isReduction()) {
            return ReductionBound.of(scenario, collective, dataBytes);
        }
        if (!collective.isWantedByAll()) {
            return PartsBound.of(scenario, collective, dataBytes);
        }
        PhasedNetwork network = PhasedNetwork.of(scenario);
        double[] shares = collective.sharesByCluster(scenario);
        double cuts = network.endOf(last -> {
            Layers layers = network.until(last);
            return new TimeNetwork(layers.networks(), shares).lastSeconds(layers.seconds(), (double) dataBytes);
        });
        double cards = cardSeconds(scenario, collective, dataBytes);
        double seconds = Math.max(cuts, cards);
        double rate = dataBytes / seconds;
        boolean isProven = cards < cuts
                && network.isExactUntil(cuts)
                && network.networks().stream().noneMatch(one -> one.needsProgram(rate) || rate > one.mostRate());
        return new CollectiveBound(seconds, isProven);
    }

    /**
     * The same of an optimum that does not look ahead: at every moment it is as fast as the network of that moment allows for ever. A
     * strategy may be faster.
     */
    public static CollectiveBound adapting(Scenario scenario, Collective collective, long dataBytes) {
        // Phases often come again, and a bound may take long.
        Map<Scenario, CollectiveBound> found = new HashMap<>();
        double seconds = PhasedNetwork.of(scenario)
                .secondsOf(
                        1,
                        phase -> 1
                                / found.computeIfAbsent(
                                                scenario.steadyAs(phase), steady -> of(steady, collective, dataBytes))
                                        .seconds());
        return new CollectiveBound(seconds, found.values().stream().allMatch(CollectiveBound::isProven));
    }

    /**
     * The time that cards take for what nodes must send and receive together, and the slowest card for its node's part. Where the LAN is
     * a network of its own, mates carry what a card is too slow for.
     */
    private static double cardSeconds(Scenario scenario, Collective collective, long dataBytes) {
        ImmutableList<Integer> owners = collective.owners(scenario);
        boolean haveParts = collective == Collective.STRIPING || collective == Collective.ALLGATHER;
        double part = haveParts ? 1.0 / owners.size() : 1;
        boolean areAlone = scenario.nodeCount() == 1;
        double slowest = 0;
        double sumUp = 0;
        double sumDown = 0;
        for (int rank = 0; rank < scenario.nodeCount(); rank++) {
            NodePlace place = scenario.placeOf(rank);
            ClusterSpec spec = scenario.clusters().get(place.cluster());
            double lan = spec.nic() == NicScope.WAN && spec.nodes() > 1 ? spec.lan() : 0;
            double up = spec.nodeUp().get(place.index()) + Math.min(lan, spec.lanUp());
            double down = spec.nodeDown().get(place.index()) + Math.min(lan, spec.lanDown());
            boolean owns = owners.contains(rank);
            boolean ownsAlone = owns && !areAlone && (haveParts || owners.size() == 1);
            slowest = Math.max(slowest, (ownsAlone ? part : 0) / up);
            slowest = Math.max(slowest, (owns ? 1 - part : 1) / down);
            sumUp += up;
            sumDown += owns && part == 1 ? 0 : down;
        }
        double together = areAlone ? 0 : collective.copies(scenario) / Math.min(sumUp, sumDown);
        return dataBytes * Math.max(slowest, Double.isNaN(together) ? 0 : together);
    }
}
