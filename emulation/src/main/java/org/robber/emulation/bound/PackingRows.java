package org.robber.emulation.bound;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.robber.emulation.bound.ClusterNetwork.Arc;
import org.robber.emulation.bound.LinearProgram.Row;

/**
 * The rows of the packing program: a variable for the traffic of each link in each layer of time, and the limits of links, access
 * lines, cards and LANs. The cuts, which limit what clusters can receive, are added one by one.
 */
final class PackingRows {
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

    /** A link in a layer of time, the variable of its traffic, and the points between which it runs in the unrolled network. */
    record Carried(Arc arc, int layer, int variable, int from, int to) {}

    /**
     * All rows but those of cuts.
     *
     * @param seconds duration of each layer; for the last, if it is to be found, one of the same order
     * @param unit bytes in which amounts are counted
     * @param findSeconds whether the last layer's duration is to be found, and the amount is one unit; else the amount is
     */
    PackingRows(ImmutableList<ClusterNetwork> layers, double[] seconds, double unit, boolean findSeconds) {
        this.layers = layers;
        this.first = layers.get(0);
        this.seconds = seconds.clone();
        this.unit = unit;
        this.amount = findSeconds ? NONE : program.variable(1);
        this.tail = findSeconds ? program.variable(1) : NONE;
        addLinks();
        for (int cluster = 0; cluster < first.size(); cluster++) {
            addCluster(cluster);
        }
        covers(program.row(), 1, first.mostRate());
    }

    /** The links, layer by layer. */
    List<Carried> carried() {
        return carried;
    }

    /** Values of all variables, the best under the rows so far; empty if nothing is enough. */
    double[] solve() {
        return tail == NONE ? program.maximise() : program.minimise();
    }

    /** The solution: the amount in bytes, or the duration of the last layer in seconds. */
    double found(double[] values) {
        return tail == NONE ? values[amount] * unit : values[tail] * seconds[seconds.length - 1];
    }

    /** The amount in units. */
    double amount(double[] values) {
        return amount == NONE ? 1 : values[amount];
    }

    /** An amount in bytes. */
    double bytes(double units) {
        return units * unit;
    }

    /** The links that leave this side of the unrolled network carry the amount, at least. */
    void addCut(BitSet side) {
        Row crossing = program.row();
        for (Carried link : carried) {
            if (side.get(link.from) && !side.get(link.to)) {
                crossing.add(link.variable, 1);
            }
        }
        covers(crossing, 1, 0);
    }

    /** A cluster in a layer, as a point of the unrolled network. */
    int point(int cluster, int layer) {
        return layer * first.size() + cluster;
    }

    private void addLinks() {
        for (int layer = 0; layer < layers.size(); layer++) {
            for (Arc arc : layers.get(layer).arcs()) {
                Carried link =
                        new Carried(arc, layer, program.variable(0), point(arc.from(), layer), point(arc.to(), layer));
                carried.add(link);
                if (!isOpen(layer) && Double.isFinite(arc.rate())) {
                    program.atMost(link.variable, arc.rate() * seconds[layer] / unit);
                } else {
                    limit(program.row().add(link.variable, 1), arc.rate(), layer);
                }
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
        int next = 0;
        for (int layer = 0; layer < layers.size(); layer++) {
            Row in = program.row();
            Row out = program.row();
            Row cards = program.row();
            for (; next < carried.size() && carried.get(next).layer == layer; next++) {
                Carried link = carried.get(next);
                if (link.arc.to() == cluster) {
                    in.add(link.variable, 1);
                    entered.add(link.variable, 1);
                } else if (link.arc.from() == cluster) {
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

    /** Adds the rows for traffic inside a cluster, in all layers together. */
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

    /** Limits a row to the capacity of a rate in a layer. */
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

    /** Demands that a row and the capacity of a rate in all layers are together at least so many times the amount. */
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
}
