package org.robber.bench.collectives;

import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.robber.emulation.json.JsonObjectWriter;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.scenario.ScenarioReader;
import tools.jackson.core.JsonGenerator;

/**
 * Puts the times of several contenders side by side. Arguments: {@code CONTENDER=FILE} for each, the first of which the others are compared with; {@code
 * --json=FILE}, {@code --scenario=FILE} and {@code --nodes=N} for the bound, {@code --guidelines}.
 */
public final class CollectiveReport {
    private final List<String> contenders = new ArrayList<>();
    private final List<Timing> timings = new ArrayList<>();
    private @Nullable CallBounds bounds;

    CollectiveReport() {}

    /** Prints a table, and writes the rest. */
    public static void main(String[] args) throws IOException {
        CollectiveReport report = new CollectiveReport();
        boolean guidelines = false;
        int nodes = 0;
        Path json = null;
        Path scenario = null;
        for (String argument : args) {
            int equals = argument.indexOf('=');
            String value = argument.substring(equals + 1);
            if (argument.equals("--guidelines")) {
                guidelines = true;
            } else if (argument.startsWith("--json=")) {
                json = Path.of(value);
            } else if (argument.startsWith("--scenario=")) {
                scenario = Path.of(value);
            } else if (argument.startsWith("--nodes=")) {
                nodes = Integer.parseInt(value);
            } else {
                report.add(argument.substring(0, equals), Path.of(value));
            }
        }
        if (scenario != null) {
            Scenario network = ScenarioReader.read(scenario);
            report.bounds = new CallBounds(nodes == 0 ? network : network.withNodes(nodes));
        }
        System.out.print(report.table());
        if (guidelines) {
            System.out.print(report.guidelines());
        }
        if (json != null) {
            Files.writeString(json, report.json());
        }
    }

    void add(String contender, Path file) throws IOException {
        contenders.add(contender);
        timings.addAll(Timing.read(contender, file));
    }

    void bounds(CallBounds of) {
        bounds = of;
    }

    /** The share of the least time that is possible, 0 to 1; not a number where that is unknown. */
    private double share(Timing timing) {
        CallBounds known = bounds;
        return known == null ? Double.NaN : known.micros(timing.call(), timing.bytes()) / timing.micros();
    }

    /** A row for each call: the medians, and where the bound is known, shares of it. */
    String table() {
        StringBuilder table = new StringBuilder(String.format(Locale.ROOT, "%-14s %11s", "call", "bytes"));
        contenders.forEach(each -> table.append(String.format(Locale.ROOT, " %14s", each + " us")));
        contenders.stream().skip(1).forEach(each -> table.append(String.format(Locale.ROOT, " %9s", "/ " + each)));
        if (bounds != null) {
            contenders.forEach(each -> table.append(String.format(Locale.ROOT, " %11s", each + " %")));
        }
        table.append('\n');
        for (Timing first : of(contenders.get(0))) {
            List<Timing> row = contenders.stream()
                    .map(each -> of(each).get(of(contenders.get(0)).indexOf(first)))
                    .toList();
            table.append(String.format(Locale.ROOT, "%-14s %11d", first.call(), first.bytes()));
            row.forEach(each -> table.append(String.format(Locale.ROOT, " %14.1f", each.micros())));
            row.stream()
                    .skip(1)
                    .forEach(
                            each -> table.append(String.format(Locale.ROOT, " %9.2f", first.micros() / each.micros())));
            if (bounds != null) {
                row.forEach(each -> table.append(String.format(Locale.ROOT, " %11.1f", 100 * share(each))));
            }
            table.append('\n');
        }
        return table.toString();
    }

    private ImmutableList<Timing> of(String contender) {
        return timings.stream()
                .filter(each -> each.contender().equals(contender))
                .collect(ImmutableList.toImmutableList());
    }

    /** The guidelines that are broken, of each contender. */
    String guidelines() {
        StringBuilder text = new StringBuilder();
        for (String contender : contenders) {
            List<Guidelines.Finding> findings = new Guidelines(of(contender)).findings();
            List<Guidelines.Finding> broken =
                    findings.stream().filter(Guidelines.Finding::isBroken).toList();
            text.append(String.format(
                    Locale.ROOT,
                    "%n%s breaks %d of %d guidelines by more than %.0f %%%n",
                    contender,
                    broken.size(),
                    findings.size(),
                    100 * (Guidelines.TOLERANCE - 1)));
            broken.forEach(finding -> text.append(finding).append('\n'));
        }
        return text.toString();
    }

    /** A record for each time, for {@code robber-bench/bin/figures}. */
    String json() {
        return timings.stream()
                .map(timing -> JsonObjectWriter.line(json -> write(json, timing)))
                .collect(Collectors.joining(",\n", "[\n", "\n]\n"));
    }

    private void write(JsonGenerator json, Timing timing) {
        json.writeStringProperty("contender", timing.contender());
        json.writeStringProperty("call", timing.call());
        json.writeStringProperty("bytes", Long.toString(timing.bytes()));
        json.writeNumberProperty("micros", timing.micros());
        json.writeNumberProperty("least_micros", timing.leastMicros());
        json.writeNumberProperty("most_micros", timing.mostMicros());
        if (timing.peakMebibytes() > 0) {
            json.writeNumberProperty("peak_mib", timing.peakMebibytes());
        }
        CallBounds known = bounds;
        if (known != null) {
            json.writeNumberProperty("bound_micros", known.micros(timing.call(), timing.bytes()));
            json.writeNumberProperty("share", share(timing));
        }
    }
}
