package org.robber.emulation.report;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableDoubleArray;
import java.util.List;
import org.robber.emulation.experiment.MeasuredRun;
import org.robber.emulation.report.chart.BarChart;
import org.robber.emulation.report.chart.BarChart.Bar;
import org.robber.emulation.report.chart.Markup;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.ClusterSpec;

/** Which clusters the data of each cluster came from, as the mean of several runs. */
final class SourceCharts {

    private static final int MOST_CLUSTERS = 24;

    private SourceCharts() {}

    static void write(Markup out, List<MeasuredRun> runs) {
        List<ClusterSpec> clusters = runs.get(0).run().scenario().clusters();
        if (clusters.size() < 2) {
            return;
        }
        int shown = Math.min(clusters.size(), MOST_CLUSTERS);
        ImmutableList.Builder<String> names = ImmutableList.builder();
        ImmutableList.Builder<String> styles = ImmutableList.builder();
        ImmutableList.Builder<Bar> bars = ImmutableList.builder();
        for (int cluster = 0; cluster < clusters.size(); cluster++) {
            names.add(clusters.get(cluster).name());
            styles.add("part f" + cluster % Palette.SIZE);
        }
        for (int cluster = 0; cluster < shown; cluster++) {
            bars.add(new Bar(clusters.get(cluster).name(), copies(runs, cluster)));
        }
        boolean isOneIdeal = runs.get(0).bound().call().isOneCopyIdeal();
        out.leaf("h4", "Where the data of each cluster came from");
        out.open("div", "class", "charts");
        new BarChart(
                        "Data received, by sending cluster",
                        isOneIdeal ? "copies of the data; 1 is ideal" : "copies of the data",
                        names.build(),
                        styles.build(),
                        bars.build(),
                        isOneIdeal ? 1 : Double.NaN)
                .write(out);
        out.closeLine();
        if (shown < clusters.size()) {
            out.paragraph(
                    "note", "The first " + shown + " of " + clusters.size() + " clusters; all are in results.json.");
        }
    }

    /** Data received from each cluster, in sizes of the data. */
    private static ImmutableDoubleArray copies(List<MeasuredRun> runs, int cluster) {
        ImmutableDoubleArray.Builder copies = ImmutableDoubleArray.builder();
        int clusters = runs.get(0).run().scenario().clusters().size();
        for (int from = 0; from < clusters; from++) {
            double sum = 0;
            for (MeasuredRun measured : runs) {
                RunResult run = measured.run();
                long bytes = from == cluster ? 0 : run.stolenBytes().getOrDefault(new ClusterPair(from, cluster), 0L);
                sum += run.dataBytes() == 0 ? 0 : (double) bytes / run.dataBytes();
            }
            copies.add(sum / runs.size());
        }
        return copies.build();
    }
}
