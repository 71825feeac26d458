package org.robber.emulation.report;

import com.google.common.collect.ImmutableList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.robber.emulation.experiment.Findings;
import org.robber.emulation.experiment.MeasuredRun;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.scenario.ClusterSpec;

/**
 * One row for each run, after a row of names. Quoted as RFC 4180 says, lines end with a line feed; what is not known is empty.
 */
public final class CsvResults {

    private static final ImmutableList<String> COLUMNS = ImmutableList.of(
            "scenario",
            "backend",
            "strategy",
            "seed",
            "status",
            "problem",
            "clusters",
            "nodes",
            "bytes",
            "piece_bytes",
            "seconds",
            "bytes_per_second",
            "bound_adapt_seconds",
            "bound_store_seconds",
            "share_of_adapt",
            "share_of_store",
            "most_wan_copies",
            "wan_copies",
            "control_bytes",
            "control_share",
            "stolen_pieces",
            "slowest_rank",
            "overhead",
            "deadline_seconds",
            "cpu_seconds",
            "cpu_seconds_per_gigabyte",
            "bound_is_proven");

    private CsvResults() {}

    /** The names of the columns, in order. */
    public static ImmutableList<String> columns() {
        return COLUMNS;
    }

    /** All runs. */
    public static String text(Findings findings) {
        StringBuilder text = new StringBuilder();
        CsvText.append(text, COLUMNS);
        for (MeasuredRun run : findings.runs()) {
            CsvText.append(text, row(run));
        }
        return text.toString();
    }

    private static List<String> row(MeasuredRun measured) {
        RunResult run = measured.run();
        return List.of(
                run.scenario().name(),
                run.backend().name().toLowerCase(Locale.ROOT),
                run.strategy(),
                Long.toString(run.seed()),
                measured.status().name().toLowerCase(Locale.ROOT),
                run.problem(),
                Integer.toString(run.scenario().clusters().size()),
                Integer.toString(run.scenario().nodeCount()),
                Long.toString(run.dataBytes()),
                Integer.toString(run.pieceBytes()),
                CsvText.number(measured.seconds()),
                CsvText.number(measured.bytesPerSecond()),
                CsvText.number(measured.bound().adaptSeconds()),
                CsvText.number(measured.bound().storeSeconds()),
                CsvText.number(measured.shareOfAdapt()),
                CsvText.number(measured.shareOfStore()),
                CsvText.number(measured.mostWanCopies()),
                wanCopies(run),
                Long.toString(measured.controlBytes()),
                CsvText.number(measured.controlShare()),
                Long.toString(measured.stolenPieces()),
                measured.slowestRank() < 0 ? "" : Integer.toString(measured.slowestRank()),
                CsvText.number(measured.overhead()),
                CsvText.number(measured.deadlineSeconds()),
                CsvText.number(measured.cpuSeconds()),
                CsvText.number(measured.cpuSecondsPerGigabyte()),
                Boolean.toString(measured.bound().isProven()));
    }

    /** Such as {@code A=0.000000 B=1.002000}: names of clusters may hold anything but a {@code -}. */
    private static String wanCopies(RunResult run) {
        StringJoiner copies = new StringJoiner(" ");
        int cluster = 0;
        for (ClusterSpec spec : run.scenario().clusters()) {
            copies.add(spec.name() + "=" + CsvText.number(run.wanCopies(cluster++)));
        }
        return copies.toString();
    }
}
