package org.robber.emulation.bound;

import java.util.Arrays;
import java.util.BitSet;
import org.robber.emulation.bound.LinearProgram.Row;
import org.robber.emulation.scenario.Collective;
import org.robber.emulation.scenario.Scenario;

/**
 * The best time of a call in which nodes want parts, found with every route there is between two clusters. For scenarios whose links are
 * the only limits.
 */
final class RouteProgram {
    private static final double UNIT = 1e6;

    private final LinearProgram program = new LinearProgram();
    private final Row[][] link;

    private RouteProgram(int clusters) {
        link = new Row[clusters][clusters];
        for (Row[] row : link) {
            for (int to = 0; to < clusters; to++) {
                row[to] = program.row();
            }
        }
    }

    static double seconds(Scenario scenario, Collective collective, long dataBytes) {
        int clusters = scenario.clusters().size();
        RouteProgram routes = new RouteProgram(clusters);
        int time = routes.program.variable(1);
        double[][] wanted = new double[clusters][clusters];
        for (int from = 0; from < scenario.nodeCount(); from++) {
            for (int to = 0; to < scenario.nodeCount(); to++) {
                wanted[scenario.placeOf(from).cluster()][scenario.placeOf(to).cluster()] +=
                        collective.share(scenario, from, to) * dataBytes / UNIT;
            }
        }
        for (int from = 0; from < clusters; from++) {
            for (int to = 0; to < clusters; to++) {
                if (from != to) {
                    Row sum = routes.program.row();
                    BitSet passed = new BitSet();
                    passed.set(from);
                    routes.extend(new int[] {from}, to, passed, sum);
                    sum.atLeast(wanted[from][to]);
                }
            }
        }
        scenario.phases()
                .get(0)
                .links()
                .forEach((pair, spec) -> routes.link[pair.from()][pair.to()]
                        .add(time, -spec.bytesPerSecond() / UNIT)
                        .atMost(0));
        return routes.program.minimise()[time];
    }

    private void extend(int[] route, int to, BitSet passed, Row sum) {
        int last = route[route.length - 1];
        if (last == to) {
            int amount = program.variable(0);
            sum.add(amount, 1);
            for (int step = 1; step < route.length; step++) {
                link[route[step - 1]][route[step]].add(amount, 1);
            }
            return;
        }
        for (int next = 0; next < link.length; next++) {
            if (!passed.get(next)) {
                BitSet more = (BitSet) passed.clone();
                more.set(next);
                int[] longer = Arrays.copyOf(route, route.length + 1);
                longer[route.length] = next;
                extend(longer, to, more, sum);
            }
        }
    }
}
