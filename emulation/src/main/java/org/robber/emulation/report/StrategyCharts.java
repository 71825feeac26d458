package org.robber.emulation.report;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableDoubleArray;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.robber.emulation.experiment.MeasuredRun;
import org.robber.emulation.experiment.PublishedFigures;
import org.robber.emulation.experiment.Sample;
import org.robber.emulation.experiment.Summary;
import org.robber.emulation.report.chart.IntervalChart;
import org.robber.emulation.report.chart.LineChart;
import org.robber.emulation.report.chart.Markup;
import org.robber.emulation.report.chart.Series;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.run.Timeline;
import org.robber.emulation.scenario.Collective;

/** The strategies of one scenario side by side: a bar for each, and a line for each over time. */
record StrategyCharts(ImmutableList<Summary> summaries, Collective call) {

    private static final int MOST_LINES = Palette.SIZE;
    private static final double NANOS_PER_SECOND = 1e9;

    /** Writes the charts. The lines over time are those of these runs, one of each strategy. */
    void write(Markup out, List<MeasuredRun> typical) {
        out.open("div", "class", "charts");
        bars(
                        "Share of the bound",
                        "percent, with the 95 % confidence interval",
                        Summary::shareOfAdapt,
                        100,
                        StrategyCharts::published)
                .write(out);
        bars("Goodput", "MB/s", Summary::bytesPerSecond, 1e-6).write(out);
        bars(
                        "WAN copies of the cluster that most entered",
                        call.isOneCopyIdeal() ? "copies; 1 is ideal" : "copies",
                        Summary::mostWanCopies,
                        1)
                .write(out);
        bars("Network overhead", "percent of one copy for each receiver", Summary::overhead, 100)
                .write(out);
        if (summaries.stream()
                .anyMatch(summary -> summary.cpuSecondsPerGigabyte().count() > 0)) {
            bars("Processor time", "CPU seconds per GB received", Summary::cpuSecondsPerGigabyte, 1)
                    .write(out);
        }
        received(typical).write(out);
        out.closeLine();
    }

    private IntervalChart bars(String title, String label, Function<Summary, Sample> figure, double scale) {
        return bars(title, label, figure, scale, summary -> Double.NaN);
    }

    private IntervalChart bars(
            String title,
            String label,
            Function<Summary, Sample> figure,
            double scale,
            ToDoubleFunction<Summary> published) {
        ImmutableList.Builder<IntervalChart.Bar> bars = ImmutableList.builder();
        for (int i = 0; i < summaries.size(); i++) {
            Summary summary = summaries.get(i);
            Sample sample = figure.apply(summary);
            bars.add(new IntervalChart.Bar(
                    summary.strategy(),
                    "part f" + i % Palette.SIZE,
                    scale * sample.mean(),
                    scale * sample.halfWidth95(),
                    published.applyAsDouble(summary)));
        }
        return new IntervalChart(title, label, bars.build());
    }

    private static double published(Summary summary) {
        OptionalInt percent = PublishedFigures.percent(summary.scenario(), summary.strategy());
        return percent.isPresent() ? percent.getAsInt() : Double.NaN;
    }

    private LineChart received(List<MeasuredRun> typical) {
        ImmutableList.Builder<Series> lines = ImmutableList.builder();
        for (MeasuredRun measured : typical.subList(0, Math.min(typical.size(), MOST_LINES))) {
            RunResult run = measured.run();
            Timeline timeline = run.timeline();
            double all = measured.neededBytes() > 0 ? measured.neededBytes() : Double.NaN;
            ImmutableDoubleArray.Builder seconds = ImmutableDoubleArray.builder();
            ImmutableDoubleArray.Builder percents = ImmutableDoubleArray.builder();
            for (int i = 0; i < timeline.receivedBytes().size(); i++) {
                seconds.add(i * (timeline.intervalNanos() / NANOS_PER_SECOND));
                percents.add(100 * Math.min(1, timeline.receivedBytes().get(i) / all));
            }
            lines.add(new Series(
                    run.strategy(),
                    "line s" + index(run.strategy()) % Palette.SIZE,
                    seconds.build(),
                    percents.build()));
        }
        return new LineChart("Data received by all nodes over time", "percent", lines.build());
    }

    private int index(String strategy) {
        for (int i = 0; i < summaries.size(); i++) {
            if (summaries.get(i).strategy().equals(strategy)) {
                return i;
            }
        }
        return 0;
    }
}
