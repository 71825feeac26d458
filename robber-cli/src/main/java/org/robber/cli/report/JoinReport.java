package org.robber.cli.report;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.robber.Joiner;
import org.robber.RobberException;
import org.robber.TransferStats;
import org.robber.cli.progress.ByteText;
import org.robber.emulation.json.JsonObjectWriter;
import tools.jackson.core.JsonGenerator;

/** The result of {@code join} as JSON, as {@code join.schema.json} describes it. */
public final class JoinReport {

    private JoinReport() {}

    /** Indented JSON that ends with a line break. */
    public static String text(Joiner joiner, NodeResult result) {
        NodeFailure failure = result.failure();
        return JsonObjectWriter.document(json -> {
            writeStatus(json, failure);
            json.writeNumberProperty("rank", joiner.rank());
            json.writeStringProperty("name", joiner.nodeName());
            json.writeStringProperty("host", joiner.hostName());
            json.writeStringProperty("cluster", joiner.clusterName());
            json.writeNumberProperty("bytes", joiner.totalBytes());
            JobReportJson.writeRounded(json, "seconds", result.seconds());
            List<Long> received = result.stats().bytesReceivedFromCluster();
            long local = Traffic.entry(received, joiner.clusterIndex());
            json.writeNumberProperty("bytes_received_local", local);
            json.writeNumberProperty("bytes_received_wan", Traffic.sum(received) - local);
            json.writeNumberProperty("bytes_reused", result.stats().bytesReused());
            if (failure != null) {
                writeFailure(json, failure);
            }
        });
    }

    /** The same of a node that the job did not let in. */
    public static String notLetIn(RobberException why) {
        NodeFailure failure = NodeFailure.of(why);
        return JsonObjectWriter.document(json -> {
            writeStatus(json, failure);
            writeFailure(json, failure);
        });
    }

    private static void writeStatus(JsonGenerator json, @Nullable NodeFailure failure) {
        json.writeNumberProperty("schema", JobReport.SCHEMA);
        json.writeStringProperty("status", failure == null ? "complete" : "failed");
        json.writeNumberProperty(
                "exit_code", failure == null ? 0 : failure.reason().exitCode());
    }

    private static void writeFailure(JsonGenerator json, NodeFailure failure) {
        json.writeStringProperty("reason", failure.reason().name().toLowerCase(Locale.ROOT));
        json.writeStringProperty("error", failure.message());
    }

    /** One line for users; only for a copy that is in place. */
    public static String line(Joiner joiner, String node) {
        TransferStats stats = joiner.stats();
        List<Long> received = stats.bytesReceivedFromCluster();
        long local = Traffic.entry(received, joiner.clusterIndex());
        return String.format(
                Locale.ROOT,
                "complete: %s has %s, %.2f s: %s from cluster %s, %s from other clusters, %s from an earlier run",
                node,
                ByteText.bytes(joiner.totalBytes()),
                stats.nanos() / 1e9,
                ByteText.bytes(local),
                joiner.clusterName(),
                ByteText.bytes(Traffic.sum(received) - local),
                ByteText.bytes(stats.bytesReused()));
    }
}
