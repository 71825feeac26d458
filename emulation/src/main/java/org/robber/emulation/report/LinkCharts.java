package org.robber.emulation.report;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableDoubleArray;
import java.util.Comparator;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.robber.emulation.report.chart.LineChart;
import org.robber.emulation.report.chart.Markup;
import org.robber.emulation.report.chart.Series;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.run.Timeline;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.LinkSpec;
import org.robber.emulation.scenario.Phase;
import org.robber.emulation.scenario.Scenario;

/** Traffic and capacity of each link over time: a chart for each direction. */
final class LinkCharts {

    private static final int MOST_LINKS = 24;
    private static final int MOST_POINTS = 100;

    private LinkCharts() {}

    static void write(Markup out, RunResult run) {
        Timeline timeline = run.timeline();
        if (timeline.linkBytes().isEmpty()) {
            return;
        }
        ImmutableList<ClusterPair> busiest = timeline.linkBytes().entrySet().stream()
                .sorted(Comparator.comparingLong(LinkCharts::carried).reversed())
                .limit(MOST_LINKS)
                .map(Map.Entry::getKey)
                .sorted()
                .collect(ImmutableList.toImmutableList());
        out.leaf("h4", "Bytes that crossed links over time");
        out.open("div", "class", "charts small");
        for (ClusterPair pair : busiest) {
            chart(run, pair).write(out);
        }
        out.closeLine();
        RecoveryText.lines(run).forEach(line -> out.leaf("p", line));
        if (busiest.size() < timeline.linkBytes().size()) {
            out.paragraph(
                    "note",
                    "The " + busiest.size() + " busiest of "
                            + timeline.linkBytes().size() + " links; all are in results.json.");
        }
    }

    private static long carried(Map.Entry<ClusterPair, ImmutableList<Long>> link) {
        ImmutableList<Long> totals = link.getValue();
        return totals.isEmpty() ? 0 : totals.get(totals.size() - 1);
    }

    private static LineChart chart(RunResult run, ClusterPair pair) {
        Scenario scenario = run.scenario();
        long interval = run.timeline().intervalNanos();
        ImmutableList<Long> totals = run.timeline().linkBytes().getOrDefault(pair, ImmutableList.of());
        Rates rates = Rates.of(interval, totals, 1, MOST_POINTS);
        Series capacity = capacity(scenario, pair, Math.max(0, totals.size() - 1) * (interval / 1e9));
        Series used = new Series("used", Palette.line(pair.from()), rates.seconds(), rates.megabytesPerSecond());
        String title = scenario.clusters().get(pair.from()).name()
                + " \u2192 "
                + scenario.clusters().get(pair.to()).name();
        return new LineChart(title, "MB/s", ImmutableList.of(capacity, used));
    }

    /** The rate of a link, as a line with steps where phases begin. */
    private static Series capacity(Scenario scenario, ClusterPair pair, double endSeconds) {
        ImmutableDoubleArray.Builder xs = ImmutableDoubleArray.builder();
        ImmutableDoubleArray.Builder ys = ImmutableDoubleArray.builder();
        for (int i = 0; i < scenario.phases().size(); i++) {
            Phase phase = scenario.phases().get(i);
            double from = phase.atNanos() / 1e9;
            if (from > endSeconds) {
                break;
            }
            double to = i + 1 < scenario.phases().size()
                    ? scenario.phases().get(i + 1).atNanos() / 1e9
                    : endSeconds;
            @Nullable LinkSpec link = phase.links().get(pair);
            double rate =
                    link == null || Double.isInfinite(link.bytesPerSecond()) ? Double.NaN : link.bytesPerSecond() / 1e6;
            xs.add(from).add(Math.min(to, endSeconds));
            ys.add(rate).add(rate);
        }
        return new Series("capacity", "line limit", xs.build(), ys.build());
    }
}
