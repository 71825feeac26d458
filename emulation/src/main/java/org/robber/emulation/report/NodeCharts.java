package org.robber.emulation.report;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableDoubleArray;
import java.util.List;
import org.robber.emulation.experiment.MeasuredRun;
import org.robber.emulation.report.chart.LineChart;
import org.robber.emulation.report.chart.Markup;
import org.robber.emulation.report.chart.Series;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.scenario.ClusterSpec;

/** Data that the nodes of each cluster received over time: a chart for each cluster, a thin line for each node. */
final class NodeCharts {

    private static final int MOST_CLUSTERS = 12;
    private static final int MOST_NODES = 24;
    private static final int MOST_POINTS = 100;

    private NodeCharts() {}

    static void write(Markup out, MeasuredRun measured) {
        RunResult run = measured.run();
        List<ClusterSpec> clusters = run.scenario().clusters();
        out.leaf("h4", "Data received by nodes over time");
        out.open("div", "class", "charts");
        for (int cluster = 0; cluster < Math.min(clusters.size(), MOST_CLUSTERS); cluster++) {
            chart(measured, cluster).write(out);
        }
        out.closeLine();
        if (clusters.size() > MOST_CLUSTERS) {
            out.paragraph(
                    "note",
                    "The first " + MOST_CLUSTERS + " of " + clusters.size() + " clusters; all are in results.json.");
        }
    }

    private static LineChart chart(MeasuredRun measured, int cluster) {
        RunResult run = measured.run();
        ClusterSpec spec = run.scenario().clusters().get(cluster);
        long interval = run.timeline().intervalNanos();
        List<ImmutableList<Long>> nodes = ClusterTotals.ofNodes(run, cluster);
        ImmutableList.Builder<Series> lines = ImmutableList.builder();
        int shown = Math.min(nodes.size(), MOST_NODES);
        for (int i = 0; i < shown; i++) {
            // of many nodes some, evenly chosen
            ImmutableList<Long> totals = nodes.get((int) ((long) i * nodes.size() / shown));
            String name = i > 0 ? "" : shown == nodes.size() ? "each node" : shown + " of the nodes";
            lines.add(series(name, "line thin", Rates.of(interval, totals, 1, MOST_POINTS)));
        }
        Rates mean = Rates.of(interval, ClusterTotals.of(run, cluster), Math.max(1, nodes.size()), MOST_POINTS);
        lines.add(series("mean", Palette.line(cluster), mean));
        double bound = run.dataBytes() / measured.bound().adaptSeconds() / 1e6;
        if (measured.bound().call().isWantedByAll()
                && bound > 0
                && !mean.seconds().isEmpty()) {
            double end = (nodes.get(0).size() - 1) * (interval / 1e9);
            lines.add(new Series(
                    "bound", "line limit", ImmutableDoubleArray.of(0, end), ImmutableDoubleArray.of(bound, bound)));
        }
        return new LineChart(
                "Cluster " + spec.name() + ", " + spec.nodes() + (spec.nodes() == 1 ? " node" : " nodes"),
                "MB/s",
                lines.build());
    }

    private static Series series(String name, String style, Rates rates) {
        return new Series(name, style, rates.seconds(), rates.megabytesPerSecond());
    }
}
