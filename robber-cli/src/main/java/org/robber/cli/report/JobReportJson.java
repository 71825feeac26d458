package org.robber.cli.report;

import static org.robber.emulation.json.JsonObjectWriter.numbers;
import static org.robber.emulation.json.JsonObjectWriter.objects;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException.Reason;
import org.robber.TransferStats;
import org.robber.cli.report.JobReport.Failure;
import org.robber.cli.report.JobReport.Node;
import org.robber.cli.report.JobReport.Skipped;
import org.robber.emulation.json.JsonObjectWriter;
import tools.jackson.core.JsonGenerator;

/**
 * The report as JSON, as {@code report.schema.json} describes it. Written field by field, because binding objects would
 * cost every short job a few hundred classes.
 */
public final class JobReportJson {

    private JobReportJson() {}

    /** The report as indented JSON that ends with a line break. */
    public static String text(JobReport report) {
        return JsonObjectWriter.document(json -> {
            json.writeNumberProperty("schema", JobReport.SCHEMA);
            json.writeStringProperty("status", report.status());
            json.writeNumberProperty("exit_code", report.exitCode());
            json.writeNumberProperty("bytes", report.bytes());
            json.writeNumberProperty("entries", report.entries());
            json.writeNumberProperty("bytes_unchanged", report.bytesUnchanged());
            writeRounded(json, "seconds", report.seconds());
            json.writeNumberProperty("bytes_per_second", Math.round(report.bytesPerSecond()));
            json.writeStringProperty("strategy", report.strategy());
            objects(json, "nodes", report.nodes(), node -> write(json, node));
            objects(json, "clusters", report.clusters(), cluster -> {
                json.writeStringProperty("name", cluster.name());
                json.writeNumberProperty("nodes", cluster.nodes());
                json.writeNumberProperty("bytes_received_wan", cluster.bytesReceivedWan());
                writeRounded(json, "wan_copies", cluster.wanCopies());
            });
            objects(json, "links", report.links(), link -> {
                json.writeStringProperty("from", link.from());
                json.writeStringProperty("to", link.to());
                json.writeNumberProperty("bytes", link.bytes());
            });
            writeSkipped(json, report.skipped());
            writeError(json, report.error());
        });
    }

    private static void write(JsonGenerator json, Node node) {
        json.writeNumberProperty("rank", node.rank());
        json.writeStringProperty("name", node.name());
        json.writeStringProperty("host", node.host());
        json.writeStringProperty("cluster", node.cluster());
        json.writeStringProperty("status", node.status().text());
        TransferStats stats = node.result().stats();
        writeRounded(json, "seconds", node.result().seconds());
        json.writeNumberProperty("bytes_verified", node.result().verifiedBytes());
        json.writeNumberProperty("bytes_received_local", node.bytesReceivedLocal());
        json.writeNumberProperty("bytes_received_wan", node.bytesReceivedWan());
        json.writeNumberProperty("bytes_sent_local", node.bytesSentLocal());
        json.writeNumberProperty("bytes_sent_wan", node.bytesSentWan());
        json.writeNumberProperty("control_bytes_sent", stats.controlBytesSent());
        json.writeNumberProperty("messages_sent", stats.messagesSent());
        json.writeNumberProperty("pieces_stolen_wan", stats.piecesStolenWan());
        json.writeNumberProperty("steals_won", stats.stealsWon());
        json.writeNumberProperty("corrupt_pieces", stats.corruptPieces());
        json.writeNumberProperty("bytes_reused", stats.bytesReused());
        json.writeNumberProperty("entries_deleted", node.result().entriesDeleted());
        json.writeNumberProperty("bytes_relayed", node.result().bytesRelayed());
        json.writeBooleanProperty("slowest", node.slowest());
        if (node.joined()) {
            json.writeBooleanProperty("joined", true);
        }
        NodeFailure failure = node.failure();
        if (failure != null) {
            json.writeStringProperty("reason", name(failure.reason()));
            json.writeStringProperty("phase", failure.phase());
            json.writeStringProperty("error", failure.message());
        }
    }

    /** The entries of a source that cannot be copied. */
    public static void writeSkipped(JsonGenerator json, List<Skipped> skipped) {
        objects(json, "skipped", skipped, one -> {
            json.writeStringProperty("path", one.path());
            json.writeStringProperty("reason", one.reason());
        });
    }

    static void writeError(JsonGenerator json, @Nullable Failure error) {
        if (error == null) {
            return;
        }
        json.writeObjectPropertyStart("error");
        json.writeStringProperty("reason", name(error.reason()));
        numbers(json, "ranks", error.ranks());
        json.writeStringProperty("phase", error.phase());
        json.writeStringProperty("message", error.message());
        json.writeEndObject();
    }

    private static String name(Reason reason) {
        return reason.name().toLowerCase(Locale.ROOT);
    }

    /** Six digits after the point: microseconds are all that means anything. */
    static void writeRounded(JsonGenerator json, String name, double value) {
        json.writeNumberProperty(name, Math.round(value * 1e6) / 1e6);
    }
}
