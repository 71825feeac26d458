package org.robber.cli.plan;

import static org.robber.emulation.json.JsonObjectWriter.objects;
import static org.robber.emulation.json.JsonObjectWriter.texts;

import com.google.common.collect.ContiguousSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.robber.cli.plan.Plan.PlannedNode;
import org.robber.cli.progress.ByteText;
import org.robber.cli.report.JobReportJson;
import org.robber.emulation.json.JsonObjectWriter;
import tools.jackson.core.JsonGenerator;

/** A plan for people, and for programs as {@code plan.schema.json} describes it. */
final class PlanText {

    /** Version of the JSON. */
    private static final int SCHEMA = 1;

    private PlanText() {}

    /** Lines for people. */
    static List<String> lines(Plan plan) {
        List<String> lines = new ArrayList<>();
        String clusters = plan.clusters().entrySet().stream()
                .map(one -> one.getKey() + ": " + one.getValue())
                .collect(Collectors.joining(", "));
        lines.add("nodes:    " + plan.nodes().size() + " (" + clusters + ")");
        lines.add("clusters: " + plan.clusterOrigin());
        lines.add("source:   " + plan.source() + ": " + ByteText.bytes(plan.bytes()) + " in "
                + count(plan.files(), "file") + ", " + plan.entries() + " entries");
        lines.add("pieces:   " + plan.layout().pieceCount() + " of "
                + ByteText.bytes(plan.layout().pieceBytes()));
        lines.add("strategy: " + plan.strategy());
        lines.add("to send:  " + ByteText.bytes(plan.bytes()) + " to each of " + count(plan.receivers(), "node")
                + ", less what they have of earlier copies, which is not looked at");
        Forecast forecast = plan.forecast();
        forecast.links()
                .forEach(link -> lines.add("link:     " + link.from() + " to " + link.to() + ": "
                        + ByteText.bytes(link.bytes())
                        + String.format(Locale.ROOT, ", %.2f copies", copies(plan, link))));
        lines.add(
                switch (forecast.by()) {
                    case SIMULATOR ->
                        "expected: " + seconds(forecast) + " by the simulator; rates: " + forecast.rates();
                    case BOUND ->
                        "expected: more than " + seconds(forecast) + ", the theoretical maximum; rates: "
                                + forecast.rates();
                    case NOTHING -> "expected: unknown, since " + forecast.rates();
                });
        for (PlannedNode node : plan.nodes()) {
            lines.add("node " + node.name()
                    + (node.place().isNone()
                            ? ": reads the source, and writes no copy"
                            : " on " + node.place().host()
                                    + (node.place().isSource()
                                            ? ": has the source"
                                            : ": to " + node.place().path())));
        }
        plan.skipped().forEach(one -> lines.add("skipped:  " + one.path() + " (" + one.reason() + ")"));
        plan.extras().forEach(extra -> lines.add("delete:   " + extra));
        plan.problems().forEach(problem -> lines.add("problem:  " + problem));
        lines.add("dry run: nothing was written");
        return lines;
    }

    private static String count(long number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    private static String seconds(Forecast forecast) {
        return String.format(Locale.ROOT, forecast.seconds() < 10 ? "%.1f s" : "%.0f s", forecast.seconds());
    }

    private static double copies(Plan plan, Forecast.Crossing link) {
        return plan.bytes() == 0 ? 0 : (double) link.bytes() / plan.bytes();
    }

    /** Indented JSON. */
    static String json(Plan plan) {
        return JsonObjectWriter.indented(json -> {
            json.writeNumberProperty("schema", SCHEMA);
            json.writeStringProperty("status", plan.exitCode() == 0 ? "ready" : "problems");
            json.writeNumberProperty("exit_code", plan.exitCode());
            json.writeStringProperty("source", plan.source());
            json.writeNumberProperty("bytes", plan.bytes());
            json.writeNumberProperty("entries", plan.entries());
            json.writeNumberProperty("files", plan.files());
            json.writeNumberProperty("pieces", plan.layout().pieceCount());
            json.writeNumberProperty("piece_bytes", plan.layout().pieceBytes());
            json.writeStringProperty("strategy", plan.strategy());
            json.writeNumberProperty("bytes_to_send", plan.bytes() * plan.receivers());
            json.writeBooleanProperty("earlier_copies_counted", false);
            json.writeStringProperty("clusters_found_by", plan.clusterOrigin());
            objects(json, "clusters", plan.clusters().entrySet(), cluster -> {
                json.writeStringProperty("name", cluster.getKey());
                json.writeNumberProperty("nodes", cluster.getValue());
            });
            nodes(json, plan.nodes());
            forecast(json, plan);
            JobReportJson.writeSkipped(json, plan.skipped());
            texts(json, "delete", plan.extras());
            texts(json, "problems", plan.problems());
        });
    }

    private static void nodes(JsonGenerator json, List<PlannedNode> nodes) {
        objects(json, "nodes", ContiguousSet.closedOpen(0, nodes.size()), rank -> {
            PlannedNode node = nodes.get(rank);
            json.writeNumberProperty("rank", rank);
            json.writeStringProperty("name", node.name());
            json.writeStringProperty("cluster", node.cluster());
            json.writeStringProperty("host", node.place().host());
            json.writeBooleanProperty("receives", node.receives());
            if (node.receives()) {
                json.writeStringProperty("path", node.place().path());
                json.writeNumberProperty("free_bytes", node.place().freeBytes());
            }
        });
    }

    private static void forecast(JsonGenerator json, Plan plan) {
        Forecast forecast = plan.forecast();
        json.writeObjectPropertyStart("forecast");
        json.writeStringProperty("by", forecast.by().name().toLowerCase(Locale.ROOT));
        if (forecast.by() == Forecast.By.NOTHING) {
            json.writeStringProperty("reason", forecast.rates());
        } else {
            json.writeNumberProperty("seconds", forecast.seconds());
            json.writeStringProperty("rates", forecast.rates());
        }
        objects(json, "links", forecast.links(), link -> {
            json.writeStringProperty("from", link.from());
            json.writeStringProperty("to", link.to());
            json.writeNumberProperty("bytes", link.bytes());
            json.writeNumberProperty("copies", copies(plan, link));
        });
        json.writeEndObject();
    }
}
