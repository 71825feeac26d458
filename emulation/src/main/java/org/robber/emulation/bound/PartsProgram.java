package org.robber.emulation.bound;

import org.robber.emulation.bound.ClusterNetwork.Arc;
import org.robber.emulation.bound.LinearProgram.Row;

/**
 * The shortest time in which each cluster can bring each other cluster so many bytes, over any routes, as a linear programme. What comes from one
 * cluster is a flow that loses at each other cluster what is wanted there.
 */
final class PartsProgram {
    /** The programme has a variable for each cluster and link. */
    static final int MOST_CLUSTERS = 8;

    private final ClusterNetwork network;
    private final double[][] demand;
    private final LinearProgram program = new LinearProgram();
    private final double bytesUnit;
    private final double rateUnit;

    private PartsProgram(ClusterNetwork network, double[][] demand) {
        this.network = network;
        this.demand = demand;
        double bytes = 0;
        for (double[] row : demand) {
            for (double part : row) {
                bytes = Math.max(bytes, part);
            }
        }
        this.bytesUnit = bytes;
        this.rateUnit = network.someLimit();
    }

    /**
     * Seconds for these bytes between clusters, some of which are more than 0; at most {@value #MOST_CLUSTERS} clusters. Infinite if some cluster cannot be
     * reached.
     */
    static double seconds(ClusterNetwork network, double[][] demand) {
        return new PartsProgram(network, demand).solve();
    }

    private double solve() {
        int size = network.size();
        int time = program.variable(1);
        Row[] up = rows(size);
        Row[] down = rows(size);
        Row[] carried = rows(network.arcs().size());
        for (int source = 0; source < size; source++) {
            Row[] kept = rows(size);
            for (int index = 0; index < carried.length; index++) {
                Arc arc = network.arcs().get(index);
                int flow = program.variable(0);
                carried[index].add(flow, 1);
                up[arc.from()].add(flow, 1);
                down[arc.to()].add(flow, 1);
                kept[arc.to()].add(flow, 1);
                kept[arc.from()].add(flow, -1);
            }
            for (int cluster = 0; cluster < size; cluster++) {
                if (cluster != source) {
                    kept[cluster].atLeast(demand[source][cluster] / bytesUnit);
                }
            }
        }
        for (int index = 0; index < carried.length; index++) {
            limit(carried[index], time, network.arcs().get(index).rate());
        }
        for (int cluster = 0; cluster < size; cluster++) {
            limit(up[cluster], time, network.clusters().get(cluster).wanUp());
            limit(down[cluster], time, network.clusters().get(cluster).wanDown());
        }
        double[] values = program.minimise();
        return values.length == 0 ? Double.POSITIVE_INFINITY : values[time] * bytesUnit / rateUnit;
    }

    private Row[] rows(int count) {
        Row[] rows = new Row[count];
        for (int i = 0; i < count; i++) {
            rows[i] = program.row();
        }
        return rows;
    }

    private void limit(Row sum, int time, double bytesPerSecond) {
        if (Double.isFinite(bytesPerSecond)) {
            sum.add(time, -bytesPerSecond / rateUnit).atMost(0);
        }
    }
}
