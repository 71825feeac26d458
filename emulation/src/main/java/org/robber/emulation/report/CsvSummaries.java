package org.robber.emulation.report;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Function;
import org.robber.emulation.experiment.Findings;
import org.robber.emulation.experiment.PublishedFigures;
import org.robber.emulation.experiment.Sample;
import org.robber.emulation.experiment.Summary;

/**
 * One row for each strategy in each scenario, after a row of names. It has means over the runs that succeeded, each followed by
 * half the width of its 95 % confidence interval. Unknown values are empty.
 */
public final class CsvSummaries {

    /** The figures of a summary by name, also in JSON. */
    static final ImmutableMap<String, Function<Summary, Sample>> FIGURES =
            ImmutableMap.<String, Function<Summary, Sample>>builder()
                    .put("seconds", Summary::seconds)
                    .put("bytes_per_second", Summary::bytesPerSecond)
                    .put("share_of_adapt", Summary::shareOfAdapt)
                    .put("share_of_store", Summary::shareOfStore)
                    .put("most_wan_copies", Summary::mostWanCopies)
                    .put("overhead", Summary::overhead)
                    .put("control_share", Summary::controlShare)
                    .put("stolen_pieces", Summary::stolenPieces)
                    .put("cpu_seconds_per_gigabyte", Summary::cpuSecondsPerGigabyte)
                    .buildOrThrow();

    private CsvSummaries() {}

    /** The names of the columns, in order. */
    public static ImmutableList<String> columns() {
        ImmutableList.Builder<String> columns = ImmutableList.builder();
        columns.add("scenario", "strategy", "runs", "complete", "succeeded", "robustness");
        FIGURES.keySet().forEach(name -> columns.add(name, name + "_half_width_95"));
        return columns.add("published_share_of_adapt").build();
    }

    /** All summaries. */
    public static String text(Findings findings) {
        StringBuilder text = new StringBuilder();
        CsvText.append(text, columns());
        findings.summaries().forEach(summary -> CsvText.append(text, row(summary)));
        return text.toString();
    }

    private static List<String> row(Summary summary) {
        List<String> row = new ArrayList<>(List.of(
                summary.scenario(),
                summary.strategy(),
                Integer.toString(summary.runs()),
                Integer.toString(summary.complete()),
                Integer.toString(summary.succeeded()),
                CsvText.number(summary.robustness())));
        for (Map.Entry<String, Function<Summary, Sample>> figure : FIGURES.entrySet()) {
            Sample sample = figure.getValue().apply(summary);
            row.add(CsvText.number(sample.mean()));
            row.add(CsvText.number(sample.halfWidth95()));
        }
        OptionalInt published = PublishedFigures.percent(summary.scenario(), summary.strategy());
        row.add(published.isPresent() ? CsvText.number(published.getAsInt() / 100.0) : "");
        return row;
    }
}
