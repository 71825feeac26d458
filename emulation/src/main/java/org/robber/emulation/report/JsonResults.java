package org.robber.emulation.report;

import static org.robber.emulation.json.JsonObjectWriter.objects;

import com.google.common.collect.ContiguousSet;
import java.util.List;
import java.util.Locale;
import org.robber.emulation.experiment.Bound;
import org.robber.emulation.experiment.Computer;
import org.robber.emulation.experiment.Deadline;
import org.robber.emulation.experiment.Findings;
import org.robber.emulation.experiment.Findings.Setting;
import org.robber.emulation.experiment.MeasuredRun;
import org.robber.emulation.experiment.PublishedFigures;
import org.robber.emulation.experiment.Sample;
import org.robber.emulation.experiment.Summary;
import org.robber.emulation.json.JsonObjectWriter;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.scenario.Scenario;
import tools.jackson.core.JsonGenerator;

/** Findings as JSON, as {@code results.schema.json} describes them. Unknown values are null. */
public final class JsonResults {

    /** Format of the document; increases when readers of the old format would fail. */
    static final int SCHEMA = 1;

    private JsonResults() {}

    /** The findings as indented JSON that ends with a line break. */
    public static String text(Findings findings) {
        return JsonObjectWriter.document(json -> {
            json.writeNumberProperty("schema", SCHEMA);
            Setting setting = findings.setting();
            write(json, setting);
            objects(
                    json,
                    "scenarios",
                    setting.scenarios().entrySet(),
                    bounded -> write(json, bounded.getKey(), bounded.getValue()));
            objects(
                    json,
                    "summaries",
                    findings.summaries(),
                    summary -> write(json, summary, setting.scenario(summary.scenario())));
            objects(json, "runs", findings.runs(), run -> write(json, run));
        });
    }

    private static void write(JsonGenerator json, Setting setting) {
        json.writeStringProperty("command_line", setting.commandLine());
        json.writeStringProperty("begun", setting.begun().toString());
        json.writeStringProperty("robber_version", setting.version());
        Computer computer = setting.computer();
        json.writeObjectPropertyStart("machine");
        json.writeStringProperty("java", computer.java());
        json.writeStringProperty("vm", computer.vm());
        json.writeStringProperty("system", computer.system());
        json.writeStringProperty("kernel", computer.kernel());
        json.writeStringProperty("architecture", computer.architecture());
        json.writeNumberProperty("cores", computer.cores());
        json.writeEndObject();
        json.writeNumberProperty("bytes", setting.dataBytes());
        writeDeadline(json, setting.deadline());
        json.writeNumberProperty("planned_runs", setting.plannedRuns());
        if (!setting.wan().isEmpty()) {
            json.writeStringProperty("wan", setting.wan());
        }
    }

    private static void writeDeadline(JsonGenerator json, Deadline deadline) {
        if (!deadline.equals(Deadline.NONE)) {
            writeNumber(json, deadline.inBounds() ? "deadline_bounds" : "deadline_seconds", deadline.amount());
        }
    }

    private static void write(JsonGenerator json, Scenario scenario, Bound bound) {
        json.writeStringProperty("name", scenario.name());
        json.writeStringProperty("description", scenario.description());
        json.writeStringProperty("origin", scenario.origin().name().toLowerCase(Locale.ROOT));
        json.writeNumberProperty("nodes", scenario.nodeCount());
        objects(json, "clusters", scenario.clusters(), cluster -> {
            json.writeStringProperty("name", cluster.name());
            json.writeNumberProperty("nodes", cluster.nodes());
        });
        writeNumber(json, "bound_adapt_seconds", bound.adaptSeconds());
        writeNumber(json, "bound_store_seconds", bound.storeSeconds());
        json.writeBooleanProperty("bound_is_proven", bound.isProven());
    }

    private static void write(JsonGenerator json, Summary summary, Scenario scenario) {
        json.writeStringProperty("scenario", summary.scenario());
        json.writeStringProperty("strategy", summary.strategy());
        json.writeNumberProperty("runs", summary.runs());
        json.writeNumberProperty("complete", summary.complete());
        json.writeNumberProperty("succeeded", summary.succeeded());
        writeNumber(json, "robustness", summary.robustness());
        CsvSummaries.FIGURES.forEach((name, figure) -> write(json, name, figure.apply(summary)));
        ContiguousSet<Integer> clusters =
                ContiguousSet.closedOpen(0, summary.wanCopies().size());
        objects(json, "wan_copies", clusters, cluster -> {
            json.writeStringProperty("name", scenario.clusters().get(cluster).name());
            writeFields(json, summary.wanCopies().get(cluster));
        });
        PublishedFigures.percent(summary.scenario(), summary.strategy())
                .ifPresent(percent -> json.writeNumberProperty("published_share_of_adapt", percent / 100.0));
    }

    private static void write(JsonGenerator json, String name, Sample sample) {
        json.writeObjectPropertyStart(name);
        writeFields(json, sample);
        json.writeEndObject();
    }

    private static void writeFields(JsonGenerator json, Sample sample) {
        writeNumber(json, "mean", sample.mean());
        writeNumber(json, "half_width_95", sample.halfWidth95());
        writeNumber(json, "smallest", sample.smallest());
        writeNumber(json, "largest", sample.largest());
    }

    private static void write(JsonGenerator json, MeasuredRun measured) {
        RunResult run = measured.run();
        json.writeStringProperty("scenario", run.scenario().name());
        json.writeStringProperty("backend", run.backend().name().toLowerCase(Locale.ROOT));
        json.writeStringProperty("strategy", run.strategy());
        json.writeNumberProperty("seed", run.seed());
        json.writeStringProperty("status", measured.status().name().toLowerCase(Locale.ROOT));
        if (!run.isComplete()) {
            json.writeStringProperty("problem", run.problem());
        }
        json.writeNumberProperty("bytes", run.dataBytes());
        json.writeNumberProperty("piece_bytes", run.pieceBytes());
        writeNumber(json, "seconds", measured.seconds());
        writeNumber(json, "bytes_per_second", measured.bytesPerSecond());
        writeNumber(json, "share_of_adapt", measured.shareOfAdapt());
        writeNumber(json, "share_of_store", measured.shareOfStore());
        json.writeNumberProperty("control_bytes", measured.controlBytes());
        writeNumber(json, "control_share", measured.controlShare());
        writeNumber(json, "overhead", measured.overhead());
        json.writeNumberProperty("stolen_pieces", measured.stolenPieces());
        writeNumber(json, "cpu_seconds", measured.cpuSeconds());
        writeNumber(json, "cpu_seconds_per_gigabyte", measured.cpuSecondsPerGigabyte());
        if (!run.besideNanos().isEmpty()) {
            writeBeside(json, measured);
        }
        RunDetails.write(json, run);
    }

    private static void writeBeside(JsonGenerator json, MeasuredRun measured) {
        List<Double> rates = measured.besideBytesPerSecond();
        objects(json, "beside", ContiguousSet.closedOpen(0, rates.size()), job -> {
            long nanos = measured.run().besideNanos().get(job);
            writeNumber(json, "seconds", nanos < 0 ? Double.NaN : nanos / 1e9);
            writeNumber(json, "bytes_per_second", rates.get(job));
        });
    }

    /** Writes six digits after the point, or null. */
    static void writeNumber(JsonGenerator json, String name, double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            json.writeNullProperty(name);
        } else {
            json.writeNumberProperty(name, Math.round(value * 1e6) / 1e6);
        }
    }
}
