package org.robber.emulation.bound;

import com.google.common.collect.ImmutableList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;
import java.util.function.DoublePredicate;

/**
 * The packing program: how much each link carries in each layer of time, so that every cluster can receive everything, under
 * the limits of links, access lines, cards and LANs.
 *
 * <p>Given the traffic of the links, the amount that all clusters can receive is a minimum cut: a network holds arborescences of
 * total rate r if every cut between the root and another node is at least r wide (Edmonds, "Edge-disjoint branchings", 1973). So
 * the variables are amounts per link alone. Of the many cuts, those that a solution violates are added, until none is left: a few
 * rounds, where one commodity per sink would make the program n times as large. A solution that violates cuts is an upper bound all
 * the same, and nearly always the last round finds the value of the first: so where rounds take too long, it is returned as it is.
 */
final class PackingProgram {
    /** A cut that lacks less than this share of the amount lacks nothing: it is rounding. */
    private static final double TOLERANCE = 1e-8;

    /** Links times rounds, to end in seconds: enough to prove the rate of 50 clusters. */
    static final long BUDGET = 40_000;

    private final ClusterNetwork first;
    private final int layers;
    private final PackingRows rows;

    /** The unrolled network, and the arc in it of each carried link. */
    private final MaxFlow flow;

    private final int[] flowArcs;
    private final Set<BitSet> cuts = new HashSet<>();
    private double[] solution = {};
    private boolean isReached;

    private PackingProgram(ImmutableList<ClusterNetwork> layers, double[] seconds, double unit, boolean findSeconds) {
        this.first = layers.get(0);
        this.layers = layers.size();
        this.rows = new PackingRows(layers, seconds, unit, findSeconds);
        this.flow = new MaxFlow(first.size() * this.layers, rows.point(first.root(), 0));
        this.flowArcs = rows.carried().stream()
                .mapToInt(link -> flow.addArc(link.from(), link.to(), 0))
                .toArray();
        for (int layer = 1; layer < this.layers; layer++) {
            for (int cluster = 0; cluster < first.size(); cluster++) {
                flow.addArc(rows.point(cluster, layer - 1), rows.point(cluster, layer), Double.POSITIVE_INFINITY);
            }
        }
        addFirstCuts();
    }

    /**
     * The largest rate at which all clusters can receive, in bytes per second.
     *
     * @param likely a rate of the same order
     */
    static PackingProgram ofRate(ClusterNetwork network, double likely) {
        return new PackingProgram(ImmutableList.of(network), new double[] {1}, likely, false);
    }

    /**
     * The shortest time in which all clusters can receive an amount.
     *
     * @param layers the network in each layer of time
     * @param seconds duration of each layer; for the last, which is to be found, one of the same order
     */
    static PackingProgram ofTime(ImmutableList<ClusterNetwork> layers, double[] seconds, double amount) {
        return new PackingProgram(layers, seconds, amount, true);
    }

    /**
     * The solution: the rate in bytes per second, or the duration of the last layer in seconds, infinite if none is enough.
     *
     * @param enough whether an upper bound that is perhaps not reachable is enough
     * @param linksTimesRounds how much work to do at most, beyond the first round
     */
    double solve(DoublePredicate enough, long linksTimesRounds) {
        long budget = linksTimesRounds;
        while (true) {
            double[] values = rows.solve();
            if (values.length == 0) {
                // However long the last layer lasts: it has no link to a cluster that lacks something.
                return Double.POSITIVE_INFINITY;
            }
            double value = rows.found(values);
            double needed = rows.amount(values) * (1 - TOLERANCE);
            budget -= rows.carried().size();
            average(values);
            isReached = holds(solution, needed);
            if (!isReached && !addViolatedCuts(values, needed)) {
                isReached = true;
            }
            if (isReached || budget < 0 || enough.test(value)) {
                return value;
            }
        }
    }

    /** Whether the value that {@link #solve} found is certainly reachable; otherwise a cut that was not examined may lower it. */
    boolean isReached() {
        return isReached;
    }

    /**
     * Best solutions are many, and the solver gives those at the corners, with few links and narrow cuts; between the corners
     * cuts are wider. Later corners know more cuts, so they weigh more.
     */
    private void average(double[] values) {
        if (solution.length == 0) {
            solution = values.clone();
        }
        for (int i = 0; i < values.length; i++) {
            solution[i] = (solution[i] + values[i]) / 2;
        }
    }

    /** Whether no cut is violated. */
    private boolean holds(double[] values, double needed) {
        if (rows.amount(values) < needed) {
            return false;
        }
        carry(values);
        for (int cluster = 0; cluster < first.size(); cluster++) {
            if (cluster != first.root() && flow.to(rows.point(cluster, layers - 1), needed) < needed) {
                return false;
            }
        }
        return true;
    }

    private void carry(double[] values) {
        for (int i = 0; i < flowArcs.length; i++) {
            flow.setCapacity(
                    flowArcs[i], Math.max(0, values[rows.carried().get(i).variable()]));
        }
    }

    /** Everything must leave the root, and enter every other cluster. */
    private void addFirstCuts() {
        for (int cluster = 0; cluster < first.size(); cluster++) {
            BitSet side = new BitSet();
            for (int layer = 0; layer < layers; layer++) {
                side.set(rows.point(cluster, layer));
            }
            if (cluster != first.root()) {
                side.flip(0, first.size() * layers);
            }
            if (first.size() > 1) {
                addCut(side);
            }
        }
    }

    private boolean addViolatedCuts(double[] values, double needed) {
        carry(values);
        boolean added = false;
        for (int cluster = 0; cluster < first.size(); cluster++) {
            if (cluster == first.root()) {
                continue;
            }
            int sink = rows.point(cluster, layers - 1);
            if (flow.to(sink, needed) < needed) {
                added |= addCut(flow.smallestSourceSide());
                added |= addCut(flow.largestSourceSide(sink));
            }
        }
        return added;
    }

    private boolean addCut(BitSet side) {
        if (!cuts.add(side)) {
            return false;
        }
        rows.addCut(side);
        return true;
    }
}
