package org.robber.bench.loopback;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The report for people: for each case a table of medians, the ratios, and the goals. */
final class TextReport {
    private static final String HEAD = """
                         seconds   of it  seconds    GB/s  CPU s/GB  CPU s/GB  control  messages  sys.calls     WAN  peak MiB  peak MiB
                                    open  +launch  summed  transfer   process  bytes %    /piece     /piece  copies      root  receiver
        """;

    private static final String ROW = "%-14s %9.3f %7s %8.3f %7.2f %9.2f %9.2f %8s %9s %10s %7s %9d %9d%n";

    private TextReport() {}

    /** The report of one case. */
    static String of(CaseResult result, int runs) {
        StringBuilder text = new StringBuilder();
        line(
                text,
                "%nReceivers: %d, of %s each. Medians of %d runs.%n",
                result.one().receivers(),
                DataSize.format(result.one().sizeBytes()),
                runs);
        text.append(HEAD);
        for (Contender contender : result.runs().keySet()) {
            line(
                    text,
                    ROW,
                    contender.label(),
                    result.median(contender, RunFigures::seconds),
                    robberOnly(contender, "%.3f", result.median(contender, RunFigures::openSeconds)),
                    result.median(contender, RunFigures::secondsFromLaunch),
                    result.median(contender, RunFigures::gigabytesPerSecond),
                    result.median(contender, RunFigures::transferCpuSeconds),
                    result.median(contender, RunFigures::processCpuSeconds),
                    robberOnly(contender, "%.3f", 100 * result.median(contender, RunFigures::controlShare)),
                    robberOnly(contender, "%.2f", result.median(contender, RunFigures::messagesPerPiece)),
                    systemCalls(result.systemCalls().get(contender)),
                    robberOnly(contender, "%.3f", result.median(contender, RunFigures::wanCopies)),
                    mebibytes(result.median(contender, RunFigures::rootResidentBytes)),
                    mebibytes(result.median(contender, RunFigures::receiverResidentBytes)));
        }
        for (Ratio ratio : Ratio.of(result)) {
            line(
                    text,
                    "%-13s / %-13s  time %.2f  CPU transfer %.2f  CPU process %.2f%n",
                    ratio.contender().label(),
                    ratio.yardstick().label(),
                    ratio.time(),
                    ratio.transferCpu(),
                    ratio.processCpu());
        }
        for (Goal goal : Goal.of(result)) {
            line(
                    text,
                    "%-5s %s: %.4g, goal %s %.4g%n",
                    goal.met() ? "PASS" : "MISS",
                    goal.what(),
                    goal.value(),
                    goal.atMost() ? "at most" : "at least",
                    goal.limit());
        }
        return text.toString();
    }

    /** The machine, as one line. */
    static String ofMachine(Map<String, Object> machine) {
        StringBuilder text = new StringBuilder();
        machine.forEach((name, value) ->
                text.append(text.isEmpty() ? "" : ", ").append(name).append(' ').append(value));
        return text.append(System.lineSeparator()).toString();
    }

    private static String robberOnly(Contender contender, String format, double value) {
        return contender.isRobber() ? String.format(Locale.ROOT, format, value) : "-";
    }

    private static String systemCalls(@Nullable Double counted) {
        return counted == null ? "-" : String.format(Locale.ROOT, "%.2f", counted);
    }

    private static long mebibytes(double bytes) {
        return Math.round(bytes / (1 << 20));
    }

    private static void line(StringBuilder text, String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values));
    }
}
