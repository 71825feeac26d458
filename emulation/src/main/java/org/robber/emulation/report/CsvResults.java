package org.robber.emulation.report;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.robber.emulation.experiment.Findings;
import org.robber.emulation.experiment.MeasuredRun;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.scenario.ClusterSpec;

/**
 * A row for each run, below a row of names. Values are quoted as in RFC 4180, lines end with a line feed, and unknown values are empty.
 */
public final class CsvResults {

    private static final ImmutableMap<String, Function<MeasuredRun, String>> COLUMNS =
            ImmutableMap.<String, Function<MeasuredRun, String>>builder()
                    .put("scenario", run -> run.run().scenario().name())
                    .put("backend", run -> run.run().backend().name().toLowerCase(Locale.ROOT))
                    .put("strategy", run -> run.run().strategy())
                    .put("seed", run -> Long.toString(run.run().seed()))
                    .put("status", run -> run.status().name().toLowerCase(Locale.ROOT))
                    .put("problem", run -> run.run().problem())
                    .put(
                            "clusters",
                            run -> Integer.toString(
                                    run.run().scenario().clusters().size()))
                    .put("nodes", run -> Integer.toString(run.run().scenario().nodeCount()))
                    .put("bytes", run -> Long.toString(run.run().dataBytes()))
                    .put("piece_bytes", run -> Integer.toString(run.run().pieceBytes()))
                    .put("seconds", run -> CsvText.number(run.seconds()))
                    .put("bytes_per_second", run -> CsvText.number(run.bytesPerSecond()))
                    .put(
                            "bound_adapt_seconds",
                            run -> CsvText.number(run.bound().adaptSeconds()))
                    .put(
                            "bound_store_seconds",
                            run -> CsvText.number(run.bound().storeSeconds()))
                    .put("share_of_adapt", run -> CsvText.number(run.shareOfAdapt()))
                    .put("share_of_store", run -> CsvText.number(run.shareOfStore()))
                    .put("most_wan_copies", run -> CsvText.number(run.mostWanCopies()))
                    .put("wan_copies", run -> wanCopies(run.run()))
                    .put("control_bytes", run -> Long.toString(run.controlBytes()))
                    .put("control_share", run -> CsvText.number(run.controlShare()))
                    .put("stolen_pieces", run -> Long.toString(run.stolenPieces()))
                    .put("slowest_rank", run -> run.slowestRank() < 0 ? "" : Integer.toString(run.slowestRank()))
                    .put("overhead", run -> CsvText.number(run.overhead()))
                    .put("deadline_seconds", run -> CsvText.number(run.deadlineSeconds()))
                    .put("cpu_seconds", run -> CsvText.number(run.cpuSeconds()))
                    .put("cpu_seconds_per_gigabyte", run -> CsvText.number(run.cpuSecondsPerGigabyte()))
                    .put("bound_is_proven", run -> Boolean.toString(run.bound().isProven()))
                    .put("recovery_seconds", run -> CsvText.number(run.recoverySeconds()))
                    .put("beside_bytes_per_second", CsvResults::besideRates)
                    .buildOrThrow();

    private CsvResults() {}

    /** The names of the columns, in order. */
    public static ImmutableList<String> columns() {
        return COLUMNS.keySet().asList();
    }

    /** All runs. */
    public static String text(Findings findings) {
        StringBuilder text = new StringBuilder();
        CsvText.append(text, columns());
        for (MeasuredRun run : findings.runs()) {
            CsvText.append(
                    text,
                    COLUMNS.values().stream().map(column -> column.apply(run)).toList());
        }
        return text.toString();
    }

    /** A number for each job. */
    private static String besideRates(MeasuredRun run) {
        return run.besideBytesPerSecond().stream().map(CsvText::number).collect(Collectors.joining(" "));
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
