package org.robber.emulation.bound;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.DoublePredicate;
import org.robber.emulation.bound.ClusterNetwork.Arc;
import org.robber.emulation.bound.LinearProgram.Row;

/**
 * The packing program: how much each link carries in each layer of time, so that every cluster can receive everything, under
 * the limits of links, access lines, cards and LANs.
 *
 * <p>How much all clusters can receive, given what links carry, is a minimum cut: a network holds arborescences of total rate
 * r if every cut between the root and anybody is at least r wide (Edmonds, "Edge-disjoint branchings", 1973). So the variables
 * are amounts per link alone. Of the many cuts, those that a solution violates are added, until none is left: a few rounds,
 * where one commodity per sink would make the program n times as large. A solution that violates cuts is an upper bound all the same,
 * and nearly always the last round finds the value of the first: so where rounds take too long, it is returned as it is.
 */
final class PackingProgram {
    /** A cut that lacks less than this share of the amount lacks nothing: it is rounding. */
    private static final double TOLERANCE = 1e-8;

    /** Links times rounds, to end in seconds: enough to prove what 50 clusters can reach. */
    private static final long BUDGET = 40_000;

    private static final int NONE = -1;

    private final ImmutableList<ClusterNetwork> layers;
    private final ClusterNetwork first;
    private final double[] seconds;
    private final double unit;
    private final LinearProgram program = new LinearProgram();

    /** The amount in units, or {@link #NONE} if it is given: then it is 1. */
    private final int amount;

    /** The last layer's duration as a multiple of the given one, or {@link #NONE} if that is how long it lasts. */
    private final int tail;

    private final List<Carried> carried = new ArrayList<>();
    private final MaxFlow flow;
    private final Set<BitSet> cuts = new HashSet<>();
    private double[] solution = {};
    private boolean isReached;

    /** A link in a layer of time, what it carries, and its arc in the unrolled network. */
    private record Carried(Arc arc, int layer, int variable, int flowArc, int from, int to) {}

    private PackingProgram(ImmutableList<ClusterNetwork> layers, double[] seconds, double unit, boolean findSeconds) {
        this.layers = layers;
        this.first = layers.get(0);
        this.seconds = seconds.clone();
        this.unit = unit;
        this.amount = findSeconds ? NONE : program.variable(1);
        this.tail = findSeconds ? program.variable(1) : NONE;
        this.flow = new MaxFlow(first.size() * layers.size(), point(first.root(), 0));
        addLinks();
        for (int cluster = 0; cluster < first.size(); cluster++) {
            addCluster(cluster);
        }
        addMostRate();
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
     * What was found: the rate in bytes per second, or the duration of the last layer in seconds, infinite if none is enough.
     *
     * @param enough when a value that cannot be improved on, but perhaps not reached, is enough
     */
    double solve(DoublePredicate enough) {
        long budget = BUDGET;
        while (true) {
            double[] values = tail == NONE ? program.maximise() : program.minimise();
            if (values.length == 0) {
                // However long the last layer lasts: it has no link to a cluster that lacks something.
                return Double.POSITIVE_INFINITY;
            }
            double value = tail == NONE ? values[amount] * unit : values[tail] * seconds[seconds.length - 1];
            double needed = (amount == NONE ? 1 : values[amount]) * (1 - TOLERANCE);
            budget -= carried.size();
            average(values);
            isReached = holds(solution, needed);
            if (!isReached && !addViolatedCuts(values, needed)) {
                solution = values;
                isReached = true;
            }
            if (isReached || budget < 0 || enough.test(value)) {
                return value;
            }
        }
    }

    /** Whether what {@link #solve} found can be reached; otherwise some cut may be in the way that was not looked at. */
    boolean isReached() {
        return isReached;
    }

    /** After {@link #solve} of a rate: the same network, in which each link has the rate that it needs, and no more. */
    ClusterNetwork needed() {
        return first.withArcs(carried.stream()
                .filter(link -> solution[link.variable] > TOLERANCE)
                .map(link -> new Arc(link.arc.pair(), solution[link.variable] * unit))
                .collect(ImmutableList.toImmutableList()));
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
        if (amount != NONE && values[amount] < needed) {
            return false;
        }
        carry(values);
        for (int cluster = 0; cluster < first.size(); cluster++) {
            if (cluster != first.root() && flow.to(point(cluster, layers.size() - 1), needed) < needed) {
                return false;
            }
        }
        return true;
    }

    private void carry(double[] values) {
        for (Carried link : carried) {
            flow.setCapacity(link.flowArc, Math.max(0, values[link.variable]));
        }
    }

    private int point(int cluster, int layer) {
        return layer * first.size() + cluster;
    }

    private void addLinks() {
        for (int layer = 0; layer < layers.size(); layer++) {
            for (Arc arc : layers.get(layer).arcs()) {
                int from = point(arc.from(), layer);
                int to = point(arc.to(), layer);
                Carried link = new Carried(arc, layer, program.variable(0), flow.addArc(from, to, 0), from, to);
                carried.add(link);
                if (!isOpen(layer) && Double.isFinite(arc.rate())) {
                    program.atMost(link.variable, arc.rate() * seconds[layer] / unit);
                } else {
                    limit(program.row().add(link.variable, 1), arc.rate(), layer);
                }
            }
            for (int cluster = 0; layer > 0 && cluster < first.size(); cluster++) {
                flow.addArc(point(cluster, layer - 1), point(cluster, layer), Double.POSITIVE_INFINITY);
            }
        }
    }

    private boolean isOpen(int layer) {
        return tail != NONE && layer == layers.size() - 1;
    }

    private void addCluster(int cluster) {
        ClusterLimits limits = first.clusters().get(cluster);
        boolean free = limits.isLocalFree();
        Row entered = program.row();
        Row left = program.row();
        Row stayed = program.row();
        for (int layer = 0; layer < layers.size(); layer++) {
            Row in = program.row();
            Row out = program.row();
            Row cards = program.row();
            for (Carried link : carried) {
                if (link.layer == layer && link.arc.to() == cluster) {
                    in.add(link.variable, 1);
                    entered.add(link.variable, 1);
                } else if (link.layer == layer && link.arc.from() == cluster) {
                    out.add(link.variable, 1);
                    cards.add(link.variable, 1);
                    left.add(link.variable, 1);
                }
            }
            limit(in, limits.wanDown(), layer);
            limit(out, limits.wanUp(), layer);
            if (!free) {
                int local = program.variable(0);
                limit(program.row().add(local, 1), limits.lan(), layer);
                limit(cards.add(local, 1), limits.cardsUp(), layer);
                stayed.add(local, 1);
            }
        }
        if (!free) {
            addLocal(limits, entered, left, stayed);
        }
    }

    /** What the nodes of a cluster need of each other, in all layers together. */
    private void addLocal(ClusterLimits limits, Row entered, Row left, Row stayed) {
        covers(entered.and(stayed), limits.receivers(), 0);
        double slowest = 0;
        for (int count = 1; count <= limits.slowestCards().size(); count++) {
            slowest += limits.slowestCards().get(count - 1);
            covers(stayed.and(), count, slowest);
        }
        if (limits.hasRoot()) {
            covers(left.and(stayed), 1, 0);
            covers(left.and(), 1, limits.rootLan());
            covers(stayed.and(), 1, limits.rootCard());
            covers(entered.and(), 1, limits.fromRoot());
        }
    }

    private void addMostRate() {
        covers(program.row(), 1, first.mostRate());
    }

    /** A row is at most what a rate lets through in a layer. */
    private void limit(Row row, double rate, int layer) {
        if (Double.isInfinite(rate)) {
            return;
        }
        double most = rate * seconds[layer] / unit;
        if (isOpen(layer)) {
            row.add(tail, -most).atMost(0);
        } else {
            row.atMost(most);
        }
    }

    /** A row, and what a rate lets through in all the time, are together at least so many times the amount. */
    private void covers(Row row, int times, double rate) {
        if (Double.isInfinite(rate)) {
            return;
        }
        double passed = 0;
        for (int layer = 0; layer < layers.size(); layer++) {
            double here = rate * seconds[layer] / unit;
            if (isOpen(layer)) {
                row.add(tail, here);
            } else {
                passed += here;
            }
        }
        if (amount == NONE) {
            row.atLeast(times - passed);
        } else {
            row.add(amount, -times).atLeast(-passed);
        }
    }

    /** Everything must leave the root, and enter every other cluster. */
    private void addFirstCuts() {
        for (int cluster = 0; cluster < first.size(); cluster++) {
            BitSet side = new BitSet();
            for (int layer = 0; layer < layers.size(); layer++) {
                side.set(point(cluster, layer));
            }
            if (cluster != first.root()) {
                side.flip(0, first.size() * layers.size());
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
            int sink = point(cluster, layers.size() - 1);
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
        Row crossing = program.row();
        for (Carried link : carried) {
            if (side.get(link.from) && !side.get(link.to)) {
                crossing.add(link.variable, 1);
            }
        }
        covers(crossing, 1, 0);
        return true;
    }
}
