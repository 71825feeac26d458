package org.robber.emulation.report;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import org.robber.emulation.experiment.Summary;
import org.robber.emulation.report.chart.Markup;
import org.robber.emulation.scenario.Collective;
import org.robber.emulation.scenario.Scenario;

/** The strategies of one scenario in figures: a row for each. */
final class StrategyTable {

    private StrategyTable() {}

    static void write(Markup out, Scenario scenario, Collective call, ImmutableList<Summary> summaries) {
        boolean cpu = summaries.stream()
                .anyMatch(summary -> summary.cpuSecondsPerGigabyte().count() > 0);
        List<String> heads = new ArrayList<>(List.of(
                "Strategy",
                "Robustness S, %",
                "Goodput G, MB/s",
                "Bound, %",
                "Store, %",
                "Seconds",
                "Overhead N, %",
                "Control, %",
                "WAN copies"));
        if (cpu) {
            heads.add("CPU s/GB");
        }
        out.table("strategies", heads);
        for (Summary summary : summaries) {
            out.open("tr").leaf("th", summary.strategy(), "scope", "row");
            String robustness = NumberText.decimals(100 * summary.robustness(), 0);
            boolean all = summary.succeeded() == summary.runs();
            out.leaf(
                    "td",
                    all ? robustness : robustness + " (" + summary.succeeded() + " of " + summary.runs() + ")",
                    "class",
                    all ? "good" : "bad");
            out.leaf("td", NumberText.megabytes(summary.bytesPerSecond()));
            out.leaf("td", NumberText.percent(summary.shareOfAdapt()));
            out.leaf("td", NumberText.percent(summary.shareOfStore()));
            out.leaf("td", NumberText.decimals(summary.seconds(), 2));
            out.leaf("td", NumberText.percent(summary.overhead()));
            out.leaf("td", NumberText.finePercent(summary.controlShare().mean()));
            out.leaf(
                    "td",
                    WanCopiesText.of(
                            scenario,
                            call,
                            cluster -> summary.wanCopies().get(cluster).mean(),
                            " ",
                            ", "));
            if (cpu) {
                out.leaf("td", NumberText.decimals(summary.cpuSecondsPerGigabyte(), 2));
            }
            out.closeLine();
        }
        out.endTable();
    }
}
