package org.robber.emulation.report;

import static org.robber.emulation.report.JsonResults.writeNumber;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import java.util.List;
import java.util.Map;
import org.robber.emulation.run.NodeRun;
import org.robber.emulation.run.Recovery;
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
        json.writeArrayPropertyStart("clusters");
        List<ClusterSpec> clusters = run.scenario().clusters();
        for (int cluster = 0; cluster < clusters.size(); cluster++) {
            json.writeStartObject();
            json.writeStringProperty("name", clusters.get(cluster).name());
            writeNumber(json, "wan_copies", run.wanCopies(cluster));
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void writeLinks(JsonGenerator json, RunResult run) {
        json.writeArrayPropertyStart("links");
        ImmutableSortedSet<ClusterPair> pairs = ImmutableSortedSet.<ClusterPair>naturalOrder()
                .addAll(run.crossedBytes().keySet())
                .addAll(run.stolenBytes().keySet())
                .build();
        for (ClusterPair pair : pairs) {
            json.writeStartObject();
            writeEnds(json, run, pair);
            json.writeNumberProperty("crossed_bytes", run.crossedBytes().getOrDefault(pair, 0L));
            json.writeNumberProperty("stolen_bytes", run.stolenBytes().getOrDefault(pair, 0L));
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void writeNodes(JsonGenerator json, RunResult run) {
        json.writeArrayPropertyStart("nodes");
        for (NodeRun node : run.nodes()) {
            json.writeStartObject();
            json.writeNumberProperty("rank", node.rank());
            writeNumber(
                    json, "seconds", node.completeNanos() < 0 ? Double.NaN : node.completeNanos() / NANOS_PER_SECOND);
            json.writeNumberProperty("local_bytes", node.localBytes());
            json.writeNumberProperty("outside_bytes", node.outsideBytes());
            json.writeNumberProperty("stolen_pieces", node.stolenPieces());
            json.writeNumberProperty("control_bytes", node.controlBytes());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void writeTimeline(JsonGenerator json, RunResult run) {
        Timeline timeline = run.timeline();
        json.writeObjectPropertyStart("timeline");
        writeNumber(json, "interval_seconds", timeline.intervalNanos() / NANOS_PER_SECOND);
        json.writeArrayPropertyStart("clusters");
        List<ClusterSpec> clusters = run.scenario().clusters();
        for (int cluster = 0; cluster < clusters.size(); cluster++) {
            json.writeStartObject();
            json.writeStringProperty("name", clusters.get(cluster).name());
            writeTotals(json, ClusterTotals.of(run, cluster));
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayPropertyStart("links");
        for (Map.Entry<ClusterPair, ImmutableList<Long>> link :
                timeline.linkBytes().entrySet()) {
            json.writeStartObject();
            writeEnds(json, run, link.getKey());
            writeTotals(json, link.getValue());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void writeRecoveries(JsonGenerator json, RunResult run) {
        json.writeArrayPropertyStart("recoveries");
        for (Recovery recovery : run.recoveries()) {
            json.writeStartObject();
            writeEnds(json, run, recovery.link());
            writeNumber(json, "harmed_seconds", recovery.harmedNanos() / NANOS_PER_SECOND);
            writeNumber(json, "healed_seconds", recovery.healedNanos() / NANOS_PER_SECOND);
            writeNumber(json, "seconds", recovery.nanos() < 0 ? Double.NaN : recovery.nanos() / NANOS_PER_SECOND);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void writeEnds(JsonGenerator json, RunResult run, ClusterPair pair) {
        json.writeStringProperty(
                "from", run.scenario().clusters().get(pair.from()).name());
        json.writeStringProperty("to", run.scenario().clusters().get(pair.to()).name());
    }

    private static void writeTotals(JsonGenerator json, List<Long> totals) {
        json.writeArrayPropertyStart("bytes");
        for (long total : totals) {
            json.writeNumber(total);
        }
        json.writeEndArray();
    }
}
