package org.robber.bench.loopback;

import static org.robber.emulation.json.JsonObjectWriter.objects;

import java.util.List;
import java.util.Map;
import org.robber.emulation.json.JsonObjectWriter;
import tools.jackson.core.JsonGenerator;

/** The report for programs: every figure of every run, and the results computed from them, as JSON. */
final class JsonReport {
    private static final int SCHEMA = 1;

    private final JsonGenerator json;

    private JsonReport(JsonGenerator json) {
        this.json = json;
    }

    /** The whole report. */
    static String of(LoopbackOptions options, Map<String, Object> machine, List<CaseResult> results) {
        return JsonObjectWriter.document(json -> new JsonReport(json).write(options, machine, results));
    }

    private void write(LoopbackOptions options, Map<String, Object> machine, List<CaseResult> results) {
        json.writeNumberProperty("schema", SCHEMA);
        json.writeObjectPropertyStart("machine");
        machine.forEach((name, value) -> {
            if (value instanceof Integer number) {
                json.writeNumberProperty(name, number);
            } else {
                json.writeStringProperty(name, value.toString());
            }
        });
        json.writeEndObject();
        json.writeObjectPropertyStart("options");
        json.writeNumberProperty("runs", options.runs());
        json.writeNumberProperty("clusters", options.clusters());
        json.writeStringProperty("strategy", options.channel().strategy());
        json.writeNumberProperty("piece_bytes", options.channel().pieceBytes());
        json.writeStringProperty("digest", options.channel().digest());
        json.writeNumberProperty("request_window", options.channel().requestWindow());
        json.writeBooleanProperty("class_archive", options.classArchive());
        json.writeStringProperty("directory", options.directory().toString());
        json.writeEndObject();
        objects(json, "cases", results, this::writeCase);
    }

    private void writeCase(CaseResult result) {
        json.writeNumberProperty("receivers", result.one().receivers());
        json.writeNumberProperty("size_bytes", result.one().sizeBytes());
        json.writeArrayPropertyStart("runs");
        result.runs()
                .forEach((contender, runs) -> runs.forEach(run -> {
                    json.writeStartObject();
                    writeRun(contender, run);
                    json.writeEndObject();
                }));
        json.writeEndArray();
        json.writeObjectPropertyStart("system_calls_per_piece");
        result.systemCalls().forEach((contender, calls) -> number(contender.label(), calls));
        json.writeEndObject();
        objects(json, "ratios", Ratio.of(result), this::writeRatio);
        objects(json, "goals", Goal.of(result), this::writeGoal);
    }

    private void writeRun(Contender contender, RunFigures run) {
        json.writeStringProperty("contender", contender.label());
        number("seconds", run.seconds());
        number("seconds_from_launch", run.secondsFromLaunch());
        number("gigabytes_per_second", run.gigabytesPerSecond());
        number("transfer_cpu_seconds_per_gigabyte", run.transferCpuSeconds());
        number("process_cpu_seconds_per_gigabyte", run.processCpuSeconds());
        json.writeNumberProperty("root_peak_resident_bytes", run.rootResidentBytes());
        json.writeNumberProperty("receiver_peak_resident_bytes", run.receiverResidentBytes());
        if (contender.isRobber()) {
            number("open_seconds", run.openSeconds());
            number("control_share", run.controlShare());
            number("messages_per_piece", run.messagesPerPiece());
            number("wan_copies", run.wanCopies());
        }
    }

    private void writeRatio(Ratio ratio) {
        json.writeStringProperty("contender", ratio.contender().label());
        json.writeStringProperty("yardstick", ratio.yardstick().label());
        number("time", ratio.time());
        number("transfer_cpu", ratio.transferCpu());
        number("process_cpu", ratio.processCpu());
    }

    private void writeGoal(Goal goal) {
        json.writeStringProperty("what", goal.what());
        number("value", goal.value());
        number(goal.atMost() ? "at_most" : "at_least", goal.limit());
        json.writeBooleanProperty("met", goal.met());
    }

    /** Not every figure is a number: a ratio to a CPU time of less than a tick is none. */
    private void number(String name, double value) {
        if (Double.isFinite(value)) {
            json.writeNumberProperty(name, value);
        } else {
            json.writeNullProperty(name);
        }
    }
}
