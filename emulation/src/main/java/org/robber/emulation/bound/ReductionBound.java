package org.robber.emulation.bound;

import java.util.BitSet;
import java.util.stream.IntStream;
import org.robber.emulation.scenario.ClusterSpec;
import org.robber.emulation.scenario.Collective;
import org.robber.emulation.scenario.NicScope;
import org.robber.emulation.scenario.NodePlace;
import org.robber.emulation.scenario.Scenario;

/**
 * The shortest time of a reduction of vectors of one size. However vectors are combined on their way, these are lower limits:
 *
 * <ul>
 *   <li>From any set of clusters, the others need at least one vector's worth for each combination of ranks that ends up outside, as
 *       far as it is wanted there. For reduce and reduceScatter this is reached: turned round, they are a multicast and an allGather,
 *       which reach it (Edmonds, "Edge-disjoint branchings", 1973).
 *   <li>In allReduce among k groups of clusters, each part of the vector passes between groups 2k - 2 times: before a first group
 *       knows everything, each other group has sent something, and after that each other group receives something. Where links are as fast in both directions,
 *       the slowest division into groups is reached, by trees that are used upwards and downwards (Nash-Williams, "Edge-disjoint spanning
 *       trees of finite graphs", 1961).
 *   <li>A card carries what its node must send and receive.
 * </ul>
 */
final class ReductionBound {
    private static final double ROUNDING = 1e-9;

    /** With more clusters there are too many divisions to try them all. */
    private static final int MOST_CLUSTERS_FOR_ALL_DIVISIONS = 9;

    private ReductionBound() {}

    /** Finds it. */
    static CollectiveBound of(Scenario scenario, Collective collective, long vectorBytes) {
        Cuts cuts = new Cuts(scenario);
        double seconds = cardSeconds(scenario, collective, vectorBytes);
        double cards = seconds;
        for (BitSet sources : cuts.sources()) {
            double vectors = vectorsLeaving(scenario, collective, sources);
            seconds = Math.max(seconds, cuts.seconds(sources, vectorBytes * vectors));
        }
        int clusters = scenario.clusters().size();
        boolean allDivisions = clusters <= MOST_CLUSTERS_FOR_ALL_DIVISIONS;
        if (collective == Collective.ALLREDUCE) {
            if (allDivisions) {
                seconds = Math.max(seconds, divide(cuts, new int[clusters], 0, 0, vectorBytes));
            } else {
                seconds =
                        Math.max(seconds, cuts.secondsBetween(cluster -> cluster, 2.0 * (clusters - 1) * vectorBytes));
            }
        }
        ClusterNetwork network = cuts.network().first();
        boolean onlyLinks = cuts.network().isSteady()
                && !network.needsProgram(Double.POSITIVE_INFINITY)
                && cards <= seconds * ROUNDING;
        boolean isReached = switch (collective) {
            case REDUCE, REDUCESCATTER -> cuts.areAll();
            case ALLREDUCE -> allDivisions && isSymmetric(network);
            default -> false;
        };
        return new CollectiveBound(seconds, onlyLinks && isReached);
    }

    /** How many vectors' worth must leave these clusters. */
    private static double vectorsLeaving(Scenario scenario, Collective collective, BitSet sources) {
        return switch (collective) {
            case REDUCE -> sources.get(scenario.root().cluster()) ? 0 : 1;
            case ALLREDUCE -> 1;
            case REDUCESCATTER ->
                IntStream.range(0, scenario.clusters().size())
                                .filter(cluster -> !sources.get(cluster))
                                .map(cluster -> scenario.clusters().get(cluster).nodes())
                                .sum()
                        / (double) scenario.nodeCount();
            case SCAN, EXSCAN -> prefixesLeaving(scenario.clusters().size(), sources);
            default -> throw new IllegalStateException(collective + " is no reduction");
        };
    }

    /** Clusters outside need all sources before them. Two that need different ones cannot do with one combination. */
    private static int prefixesLeaving(int clusters, BitSet sources) {
        int prefixes = 0;
        boolean sourceIsNew = false;
        for (int cluster = 0; cluster < clusters; cluster++) {
            if (sources.get(cluster)) {
                sourceIsNew = true;
            } else if (sourceIsNew) {
                prefixes++;
                sourceIsNew = false;
            }
        }
        return prefixes;
    }

    /** Of all divisions that give the first clusters these groups, the one that takes longest. */
    private static double divide(Cuts cuts, int[] groups, int given, int count, long vectorBytes) {
        if (given == groups.length) {
            return cuts.secondsBetween(cluster -> groups[cluster], 2.0 * (count - 1) * vectorBytes);
        }
        double slowest = 0;
        for (int group = 0; group <= count; group++) {
            groups[given] = group;
            slowest = Math.max(slowest, divide(cuts, groups, given + 1, Math.max(count, group + 1), vectorBytes));
        }
        return slowest;
    }

    private static boolean isSymmetric(ClusterNetwork network) {
        return network.arcs().stream()
                .allMatch(arc -> network.arcs().stream()
                        .anyMatch(back ->
                                back.from() == arc.to() && back.to() == arc.from() && back.rate() == arc.rate()));
    }

    /** The time that the slowest card takes, of those that carry all traffic of their node. */
    private static double cardSeconds(Scenario scenario, Collective collective, long vectorBytes) {
        int nodes = scenario.nodeCount();
        if (nodes == 1) {
            return 0;
        }
        double slowest = 0;
        double sumUp = 0;
        double sumDown = 0;
        for (int rank = 0; rank < nodes; rank++) {
            NodePlace place = scenario.placeOf(rank);
            ClusterSpec cluster = scenario.clusters().get(place.cluster());
            boolean carriesAll = cluster.nic() == NicScope.ALL;
            double up = carriesAll ? cluster.nodeUp().get(place.index()) : Double.POSITIVE_INFINITY;
            double down = carriesAll ? cluster.nodeDown().get(place.index()) : Double.POSITIVE_INFINITY;
            sumUp += up;
            sumDown += down;
            slowest = Math.max(slowest, vectorsSent(scenario, collective, rank) / up);
            slowest = Math.max(slowest, vectorsReceived(scenario, collective, rank) / down);
        }
        return vectorBytes * Math.max(slowest, collective.copies(scenario) / Math.min(sumUp, sumDown));
    }

    /** How many vectors' worth a node must send. */
    private static double vectorsSent(Scenario scenario, Collective collective, int rank) {
        int nodes = scenario.nodeCount();
        return switch (collective) {
            case REDUCE -> rank == scenario.rankOf(scenario.root()) ? 0 : 1;
            case REDUCESCATTER -> 1 - 1.0 / nodes;
            case SCAN, EXSCAN -> rank == nodes - 1 ? 0 : 1;
            default -> 1;
        };
    }

    /** How many vectors' worth a node must receive. */
    private static double vectorsReceived(Scenario scenario, Collective collective, int rank) {
        return switch (collective) {
            case REDUCE -> rank == scenario.rankOf(scenario.root()) ? 1 : 0;
            case REDUCESCATTER -> 1.0 / scenario.nodeCount();
            case SCAN, EXSCAN -> rank == 0 ? 0 : 1;
            default -> 1;
        };
    }
}
