package org.robber.emulation.report;

import com.google.common.collect.ImmutableList;
import java.util.Locale;
import org.robber.emulation.experiment.Findings;
import org.robber.emulation.experiment.MeasuredRun;
import org.robber.emulation.report.chart.Markup;
import org.robber.emulation.run.RunResult;

/** One row for each run, with its seed. */
final class RunTable {

    private static final ImmutableList<String> HEADS = ImmutableList.of(
            "Scenario",
            "Backend",
            "Strategy",
            "Seed",
            "Bound, %",
            "Store, %",
            "Seconds",
            "MB/s",
            "WAN copies",
            "Control, %",
            "Stolen pieces",
            "Last node");

    private RunTable() {}

    static void write(Markup out, Findings findings) {
        out.leaf("h2", "Runs", "id", "runs");
        out.table("runs", HEADS);
        for (MeasuredRun run : findings.runs()) {
            writeRow(out, run);
        }
        out.endTable();
    }

    private static void writeRow(Markup out, MeasuredRun measured) {
        RunResult run = measured.run();
        out.open("tr");
        out.leaf("td", run.scenario().name());
        out.leaf("td", run.backend().name().toLowerCase(Locale.ROOT));
        out.leaf("td", run.strategy());
        out.leaf("td", Long.toString(run.seed()));
        if (run.isComplete()) {
            out.leaf("td", NumberText.percent(measured.shareOfAdapt()));
            out.leaf("td", NumberText.percent(measured.shareOfStore()));
            out.leaf(
                    "td",
                    NumberText.decimals(measured.seconds(), 3) + (measured.isSuccess() ? "" : " (late)"),
                    "class",
                    measured.isSuccess() ? "good" : "bad");
            String beside = NumberText.megabytesOfAll(measured.besideBytesPerSecond());
            out.leaf(
                    "td",
                    NumberText.megabytes(measured.bytesPerSecond())
                            + (beside.isEmpty() ? "" : " (beside: " + beside + ")"));
        } else {
            out.leaf("td", "incomplete: " + run.problem(), "colspan", "4", "class", "bad");
        }
        out.leaf("td", WanCopiesText.of(run.scenario(), measured.bound().call(), run::wanCopies, " ", ", "));
        out.leaf("td", NumberText.finePercent(measured.controlShare()));
        out.leaf("td", NumberText.ifStolen(run.strategy(), NumberText.grouped(measured.stolenPieces())));
        out.leaf("td", measured.slowestRank() < 0 ? "" : "rank " + measured.slowestRank());
        out.closeLine();
    }
}
