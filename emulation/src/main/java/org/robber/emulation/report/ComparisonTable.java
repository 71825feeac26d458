package org.robber.emulation.report;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import java.util.Map;
import java.util.stream.Collectors;
import org.robber.emulation.experiment.Bound;
import org.robber.emulation.experiment.Findings;
import org.robber.emulation.experiment.MeasuredRun;
import org.robber.emulation.experiment.PublishedFigures;
import org.robber.emulation.experiment.Summary;
import org.robber.emulation.report.chart.Markup;
import org.robber.emulation.scenario.Scenario;

/** A table of strategies and scenarios, as in the publication, with the published figures. */
final class ComparisonTable {

    private final Findings findings;
    private final boolean published;

    ComparisonTable(Findings findings) {
        this.findings = findings;
        this.published = findings.setting().scenarios().keySet().stream()
                .anyMatch(scenario -> PublishedFigures.strategies().stream()
                        .anyMatch(strategy -> PublishedFigures.percent(scenario.name(), strategy)
                                .isPresent()));
    }

    void write(Markup out) {
        out.leaf("h2", "Share of the bound, in percent");
        out.open("table", "class", "comparison");
        writeHead(out);
        out.open("tbody");
        for (Map.Entry<Scenario, Bound> entry : findings.setting().scenarios().entrySet()) {
            writeRow(out, entry.getKey(), entry.getValue());
        }
        out.close().closeLine();
        out.paragraph(
                "note",
                "Bound: the time in which an optimum that adapts at once, but does not look ahead, could bring the"
                        + " data to every node. Shares are means over the runs in which every node got everything in time,"
                        + " with the 95 % confidence interval of the mean; in brackets, of the optimum that knows the"
                        + " future."
                        + notProven()
                        + (published ? " Published: with 4 clusters of 16 nodes and 600 MB." : "")
                        + improved());
        out.raw("\n");
    }

    private String notProven() {
        return findings.setting().scenarios().values().stream().allMatch(Bound::isProven)
                ? ""
                : " Not proven: no strategy is faster than this bound, but perhaps none can be as fast.";
    }

    private String improved() {
        return findings.setting().strategies().stream().noneMatch(PublishedFigures::isImproved)
                ? ""
                : " " + PublishedFigures.IMPROVED;
    }

    private void writeHead(Markup out) {
        ImmutableList<String> strategies = findings.setting().strategies();
        out.open("thead").open("tr");
        out.leaf("th", "Scenario", "rowspan", "2").leaf("th", "Bound, s", "rowspan", "2");
        out.leaf("th", "Measured" + backends(), "colspan", Integer.toString(strategies.size()), "class", "group");
        if (published) {
            int columns = PublishedFigures.strategies().size();
            out.leaf("th", "Published", "colspan", Integer.toString(columns), "class", "group");
        }
        out.closeLine().open("tr");
        strategies.forEach(strategy -> out.leaf("th", strategy));
        if (published) {
            PublishedFigures.strategies().forEach(strategy -> out.leaf("th", strategy));
        }
        out.close().closeLine();
    }

    /** The backends of the runs. */
    private String backends() {
        return findings.runs().stream()
                .map(run -> Ascii.toLowerCase(run.run().backend().name()))
                .distinct()
                .map(name -> ", " + name)
                .collect(Collectors.joining());
    }

    private void writeRow(Markup out, Scenario scenario, Bound bound) {
        out.open("tr").leaf("th", scenario.name(), "scope", "row");
        out.leaf("td", NumberText.decimals(bound.adaptSeconds(), 2) + (bound.isProven() ? "" : " (not proven)"));
        for (String strategy : findings.setting().strategies()) {
            writeCell(out, Summary.of(scenario.name(), strategy, findings.runs(scenario, strategy)));
        }
        if (published) {
            for (String strategy : PublishedFigures.strategies()) {
                out.leaf(
                        "td",
                        PublishedFigures.percent(scenario.name(), strategy).isPresent()
                                ? Integer.toString(PublishedFigures.percent(scenario.name(), strategy)
                                        .getAsInt())
                                : "");
            }
        }
        out.closeLine();
    }

    private static void writeCell(Markup out, Summary summary) {
        if (summary.runs() == 0) {
            out.leaf("td", "not run");
            return;
        }
        out.open("td").leaf("strong", NumberText.percent(summary.shareOfAdapt()));
        out.text(" (" + NumberText.percent(summary.shareOfStore().mean()) + ")");
        if (summary.complete() < summary.runs()) {
            out.empty("br").leaf("span", summary.complete() + " of " + summary.runs() + " complete", "class", "bad");
        }
        if (summary.succeeded() < summary.complete()) {
            out.empty("br")
                    .leaf(
                            "span",
                            summary.complete() - summary.succeeded() + " of " + summary.runs() + " late",
                            "class",
                            "bad");
        }
        out.close();
    }

    /** The run whose charts stand for all of its kind: the median by time, or the first if none is complete. */
    static MeasuredRun typical(ImmutableList<MeasuredRun> runs) {
        ImmutableList<MeasuredRun> complete = runs.stream()
                .filter(run -> run.run().isComplete())
                .sorted((a, b) -> Long.compare(a.run().nanos(), b.run().nanos()))
                .collect(ImmutableList.toImmutableList());
        return complete.isEmpty() ? runs.get(0) : complete.get((complete.size() - 1) / 2);
    }
}
