package org.robber.emulation.report;

import static org.robber.emulation.json.JsonObjectWriter.numbers;
import static org.robber.emulation.json.JsonObjectWriter.objects;
import static org.robber.emulation.report.JsonResults.writeNumber;

import com.google.common.collect.ContiguousSet;
import com.google.common.collect.ImmutableSortedSet;
import java.util.List;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.run.Timeline;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.ClusterSpec;
import tools.jackson.core.JsonGenerator;

/** The parts of one run in JSON: clusters, links, nodes, and how clusters and links went over time. */
final class RunDetails {

    private static final double NANOS_PER_SECOND = 1e9;

    private RunDetails() {}

    static void write(JsonGenerator json, RunResult run) {
        writeClusters(json, run);
        writeLinks(json, run);
        if (run.timeline().isDetailed()) {
            writeNodes(json, run);
            writeTimeline(json, run);
            writeRecoveries(json, run);
        }
    }

    private static void writeClusters(JsonGenerator json, RunResult run) {
        List<ClusterSpec> clusters = run.scenario().clusters();
        objects(json, "clusters", ContiguousSet.closedOpen(0, clusters.size()), cluster -> {
            json.writeStringProperty("name", clusters.get(cluster).name());
            writeNumber(json, "wan_copies", run.wanCopies(cluster));
        });
    }

    private static void writeLinks(JsonGenerator json, RunResult run) {
        ImmutableSortedSet<ClusterPair> pairs = ImmutableSortedSet.<ClusterPair>naturalOrder()
                .addAll(run.crossedBytes().keySet())
                .addAll(run.stolenBytes().keySet())
                .build();
        objects(json, "links", pairs, pair -> {
            writeEnds(json, run, pair);
            json.writeNumberProperty("crossed_bytes", run.crossedBytes().getOrDefault(pair, 0L));
            json.writeNumberProperty("stolen_bytes", run.stolenBytes().getOrDefault(pair, 0L));
        });
    }

    private static void writeNodes(JsonGenerator json, RunResult run) {
        objects(json, "nodes", run.nodes(), node -> {
            json.writeNumberProperty("rank", node.rank());
            writeNumber(
                    json, "seconds", node.completeNanos() < 0 ? Double.NaN : node.completeNanos() / NANOS_PER_SECOND);
            json.writeNumberProperty("local_bytes", node.localBytes());
            json.writeNumberProperty("outside_bytes", node.outsideBytes());
            json.writeNumberProperty("stolen_pieces", node.stolenPieces());
            json.writeNumberProperty("control_bytes", node.controlBytes());
        });
    }

    private static void writeTimeline(JsonGenerator json, RunResult run) {
        Timeline timeline = run.timeline();
        json.writeObjectPropertyStart("timeline");
        writeNumber(json, "interval_seconds", timeline.intervalNanos() / NANOS_PER_SECOND);
        List<ClusterSpec> clusters = run.scenario().clusters();
        objects(json, "clusters", ContiguousSet.closedOpen(0, clusters.size()), cluster -> {
            json.writeStringProperty("name", clusters.get(cluster).name());
            numbers(json, "bytes", ClusterTotals.of(run, cluster));
        });
        objects(json, "links", timeline.linkBytes().entrySet(), link -> {
            writeEnds(json, run, link.getKey());
            numbers(json, "bytes", link.getValue());
        });
        json.writeEndObject();
    }

    private static void writeRecoveries(JsonGenerator json, RunResult run) {
        objects(json, "recoveries", run.recoveries(), recovery -> {
            writeEnds(json, run, recovery.link());
            writeNumber(json, "harmed_seconds", recovery.harmedNanos() / NANOS_PER_SECOND);
            writeNumber(json, "healed_seconds", recovery.healedNanos() / NANOS_PER_SECOND);
            writeNumber(json, "seconds", recovery.nanos() < 0 ? Double.NaN : recovery.nanos() / NANOS_PER_SECOND);
        });
    }

    private static void writeEnds(JsonGenerator json, RunResult run, ClusterPair pair) {
        json.writeStringProperty(
                "from", run.scenario().clusters().get(pair.from()).name());
        json.writeStringProperty("to", run.scenario().clusters().get(pair.to()).name());
    }
}
