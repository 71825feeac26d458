package org.robber.emulation.bound;

import java.util.List;
import org.robber.emulation.bound.LinearProgram.Row;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.LinkSpec;
import org.robber.emulation.scenario.Phase;
import org.robber.emulation.scenario.Scenario;

/**
 * The best static rate as the publication computes it: a rate for each tree there is, under the limits of links and access
 * lines. For scenarios whose root is in the first cluster and that have no other limits.
 */
final class TreeProgram {
    private static final double UNIT = 1e6;

    private TreeProgram() {}

    static double bytesPerSecond(Scenario scenario, Phase phase) {
        int clusters = scenario.clusters().size();
        LinearProgram program = new LinearProgram();
        Row[][] link = new Row[clusters][clusters];
        Row[] up = new Row[clusters];
        Row[] down = new Row[clusters];
        for (int i = 0; i < clusters; i++) {
            up[i] = program.row();
            down[i] = program.row();
            for (int j = 0; j < clusters; j++) {
                link[i][j] = program.row();
            }
        }
        List<int[]> trees = AllTrees.parents(clusters);
        for (int[] parent : trees) {
            int rate = program.variable(1);
            for (int cluster = 1; cluster < clusters; cluster++) {
                link[parent[cluster]][cluster].add(rate, 1);
                up[parent[cluster]].add(rate, 1);
                down[cluster].add(rate, 1);
            }
        }
        for (int i = 0; i < clusters; i++) {
            limit(up[i], scenario.clusters().get(i).accessUp());
            limit(down[i], scenario.clusters().get(i).accessDown());
            for (int j = 0; j < clusters; j++) {
                LinkSpec spec = i == j ? null : phase.links().get(new ClusterPair(i, j));
                limit(link[i][j], spec == null ? 0 : spec.bytesPerSecond());
            }
        }
        double sum = 0;
        for (double rate : program.maximise()) {
            sum += rate;
        }
        return sum * UNIT;
    }

    private static void limit(Row row, double bytesPerSecond) {
        if (Double.isFinite(bytesPerSecond)) {
            row.atMost(bytesPerSecond / UNIT);
        }
    }
}
