package org.robber.emulation.bound;

import java.util.Arrays;
import org.robber.emulation.bound.LinearProgram.Row;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.LinkSpec;
import org.robber.emulation.scenario.Scenario;

/**
 * How much all clusters can have after a time, with a flow to each cluster of its own through the network unrolled in time, under
 * the limits of links and access lines. For scenarios whose root is in the first cluster and that have no other limits.
 */
final class StoreProgram {
    private static final double UNIT = 1e6;

    private final Scenario scenario;
    private final double[] seconds;
    private final int clusters;
    private final LinearProgram program = new LinearProgram();
    private final int amount = program.variable(1);
    private final int[][][] carried;

    private StoreProgram(Scenario scenario, double[] seconds) {
        this.scenario = scenario;
        this.seconds = seconds;
        this.clusters = scenario.clusters().size();
        this.carried = new int[seconds.length][clusters][clusters];
    }

    /**
     * The amount in bytes.
     *
     * @param seconds how long each phase lasts; those that are left out are not reached
     */
    static double bytes(Scenario scenario, double[] seconds) {
        StoreProgram store = new StoreProgram(scenario, seconds);
        for (int layer = 0; layer < seconds.length; layer++) {
            store.limit(layer);
        }
        for (int sink = 1; sink < store.clusters; sink++) {
            store.flowTo(sink);
        }
        return store.program.maximise()[store.amount] * UNIT;
    }

    private void limit(int layer) {
        for (int[] from : carried[layer]) {
            Arrays.setAll(from, to -> program.variable(0));
        }
        for (int i = 0; i < clusters; i++) {
            Row up = program.row();
            Row down = program.row();
            for (int j = 0; j < clusters; j++) {
                LinkSpec link =
                        i == j ? null : scenario.phases().get(layer).links().get(new ClusterPair(i, j));
                limit(program.row().add(carried[layer][i][j], 1), link == null ? 0 : link.bytesPerSecond(), layer);
                up.add(carried[layer][i][j], 1);
                down.add(carried[layer][j][i], 1);
            }
            limit(up, scenario.clusters().get(i).accessUp(), layer);
            limit(down, scenario.clusters().get(i).accessDown(), layer);
        }
    }

    private void limit(Row row, double bytesPerSecond, int layer) {
        if (Double.isFinite(bytesPerSecond)) {
            row.atMost(bytesPerSecond / UNIT * seconds[layer]);
        }
    }

    private void flowTo(int sink) {
        Row[] balance = new Row[clusters];
        for (int cluster = 0; cluster < clusters; cluster++) {
            balance[cluster] = program.row();
        }
        for (int[][] layer : carried) {
            for (int i = 0; i < clusters; i++) {
                for (int j = 1; j < clusters; j++) {
                    if (i != j) {
                        int flow = program.variable(0);
                        program.row().add(flow, 1).add(layer[i][j], -1).atMost(0);
                        balance[j].add(flow, 1);
                        balance[i].add(flow, -1);
                    }
                }
            }
            // What a cluster has sent by now it had by now: the balance so far is what it keeps.
            for (int cluster = 1; cluster < clusters; cluster++) {
                if (cluster != sink) {
                    balance[cluster].and().atLeast(0);
                }
            }
        }
        balance[sink].add(amount, -1).atLeast(0);
    }
}
