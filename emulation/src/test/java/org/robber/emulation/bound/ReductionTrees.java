package org.robber.emulation.bound;

import java.util.ArrayList;
import java.util.List;
import org.robber.emulation.bound.LinearProgram.Row;
import org.robber.emulation.scenario.Collective;
import org.robber.emulation.scenario.Scenario;

/**
 * The best time of a reduction, found with every tree there is: parts of the vector are combined along trees towards a centre, and for allReduce
 * passed on along trees away from it. For scenarios whose links are the only limits.
 */
final class ReductionTrees {
    private static final double UNIT = 1e6;

    private ReductionTrees() {}

    static double seconds(Scenario scenario, Collective collective, long vectorBytes) {
        int clusters = scenario.clusters().size();
        LinearProgram program = new LinearProgram();
        Row[][] link = new Row[clusters][clusters];
        for (Row[] row : link) {
            for (int to = 0; to < clusters; to++) {
                row[to] = program.row();
            }
        }
        int time = program.variable(1);
        Row all = program.row();
        for (int centre = 0; centre < clusters; centre++) {
            Row amount = program.row();
            double share = share(scenario, collective, centre);
            for (int[] parent : rootedAt(centre, clusters)) {
                int inwards = program.variable(0);
                for (int cluster = 0; cluster < clusters; cluster++) {
                    if (cluster != centre) {
                        link[cluster][parent[cluster]].add(inwards, 1);
                    }
                }
                amount.add(inwards, 1);
            }
            if (collective == Collective.ALLREDUCE) {
                int part = program.variable(0);
                Row outwards = program.row();
                for (int[] parent : rootedAt(centre, clusters)) {
                    int away = program.variable(0);
                    for (int cluster = 0; cluster < clusters; cluster++) {
                        if (cluster != centre) {
                            link[parent[cluster]][cluster].add(away, 1);
                        }
                    }
                    outwards.add(away, 1);
                }
                all.add(part, 1);
                amount.add(part, -1).atLeast(0);
                outwards.add(part, -1).atLeast(0);
            } else {
                amount.atLeast(share * vectorBytes / UNIT);
            }
        }
        if (collective == Collective.ALLREDUCE) {
            all.atLeast(vectorBytes / UNIT);
        }
        scenario.phases()
                .get(0)
                .links()
                .forEach((pair, spec) -> link[pair.from()][pair.to()]
                        .add(time, -spec.bytesPerSecond() / UNIT)
                        .atMost(0));
        return program.minimise()[time];
    }

    /** The share of the vector that ends at a cluster. */
    private static double share(Scenario scenario, Collective collective, int centre) {
        if (collective == Collective.REDUCE) {
            return centre == scenario.root().cluster() ? 1 : 0;
        }
        return scenario.clusters().get(centre).nodes() / (double) scenario.nodeCount();
    }

    /** The trees of {@link AllTrees}, with the centre in the place of node 0. */
    private static List<int[]> rootedAt(int centre, int clusters) {
        List<int[]> trees = new ArrayList<>();
        for (int[] parent : AllTrees.parents(clusters)) {
            int[] swapped = new int[clusters];
            for (int node = 0; node < clusters; node++) {
                swapped[swap(node, centre)] = parent[node] < 0 ? -1 : swap(parent[node], centre);
            }
            trees.add(swapped);
        }
        return trees;
    }

    private static int swap(int node, int centre) {
        return node == 0 ? centre : node == centre ? 0 : node;
    }
}
