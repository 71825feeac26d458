package org.robber.cli.emulate;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.robber.cli.report.ColumnText;
import org.robber.emulation.experiment.Findings;
import org.robber.emulation.experiment.PublishedFigures;
import org.robber.emulation.experiment.Summary;
import org.robber.emulation.report.NumberText;

/** A line for each strategy in each scenario: means over its runs, with 95 % confidence intervals. */
final class SummaryLines {

    private static final List<String> HEADS = List.of(
            "SCENARIO",
            "STRATEGY",
            "RUNS",
            "S %",
            "BOUND % (95 %)",
            "STORE %",
            "SECONDS",
            "G MB/S",
            "N %",
            "CONTROL %",
            "STOLEN",
            "MOST COPIES",
            "CPU S/GB",
            "PUBLISHED %");

    /** How many columns from the left hold words; the rest are figures. */
    private static final int WORD_COLUMNS = 2;

    private static final int CPU_COLUMN = HEADS.indexOf("CPU S/GB");

    private SummaryLines() {}

    static String text(Findings findings) {
        List<Summary> summaries = findings.summaries();
        List<List<String>> rows = new ArrayList<>(List.of(new ArrayList<>(HEADS)));
        summaries.forEach(summary -> rows.add(new ArrayList<>(row(summary))));
        if (summaries.stream()
                .allMatch(summary -> summary.cpuSecondsPerGigabyte().count() == 0)) {
            rows.forEach(row -> row.remove(CPU_COLUMN));
        }
        return ColumnText.of(rows, WORD_COLUMNS) + notes(findings);
    }

    /** Notes on the bounds and strategies of the table. */
    private static String notes(Findings findings) {
        StringBuilder notes = new StringBuilder();
        findings.setting().scenarios().forEach((scenario, bound) -> {
            if (!bound.isProven()) {
                notes.append(scenario.name())
                        .append(": the bound is not proven: no strategy is faster, but perhaps none can be as fast\n");
            }
        });
        if (findings.summaries().stream()
                .anyMatch(summary -> PublishedFigures.isImproved(summary.strategy())
                        && PublishedFigures.percent(summary.scenario(), summary.strategy())
                                .isPresent())) {
            notes.append(PublishedFigures.IMPROVED).append('\n');
        }
        return notes.toString();
    }

    private static List<String> row(Summary summary) {
        OptionalInt published = PublishedFigures.percent(summary.scenario(), summary.strategy());
        return List.of(
                summary.scenario(),
                summary.strategy(),
                summary.succeeded() == summary.runs()
                        ? Integer.toString(summary.runs())
                        : summary.succeeded() + " of " + summary.runs(),
                NumberText.decimals(100 * summary.robustness(), 0),
                NumberText.percent(summary.shareOfAdapt()),
                NumberText.percent(summary.shareOfStore().mean()),
                NumberText.decimals(summary.seconds(), 2),
                NumberText.megabytes(summary.bytesPerSecond()),
                NumberText.percent(summary.overhead().mean()),
                NumberText.finePercent(summary.controlShare().mean()),
                NumberText.ifStolen(
                        summary.strategy(),
                        NumberText.decimals(summary.stolenPieces().mean(), 0)),
                NumberText.decimals(summary.mostWanCopies().largest(), 3),
                NumberText.decimals(summary.cpuSecondsPerGigabyte(), 2),
                published.isPresent() ? Integer.toString(published.getAsInt()) : "");
    }
}
