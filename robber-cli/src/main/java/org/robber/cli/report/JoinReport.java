package org.robber.cli.report;

import java.io.StringWriter;
import java.util.Locale;
import org.robber.Joiner;
import org.robber.TransferStats;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.json.JsonFactory;

/** The result of {@code join} as JSON, as {@code join.schema.json} describes it. */
public final class JoinReport {

    private JoinReport() {}

    /** Indented JSON that ends with a line break. */
    public static String text(Joiner joiner, NodeResult result) {
        StringWriter text = new StringWriter();
        NodeFailure failure = result.failure();
        try (JsonGenerator json = new JsonFactory().createGenerator(new JobReportJson.Indented(), text)) {
            json.writeStartObject();
            json.writeNumberProperty("schema", JobReport.SCHEMA);
            json.writeStringProperty("status", failure == null ? "complete" : "failed");
            json.writeNumberProperty(
                    "exit_code", failure == null ? 0 : failure.reason().exitCode());
            json.writeNumberProperty("rank", joiner.rank());
            json.writeStringProperty("name", joiner.nodeName());
            json.writeStringProperty("host", joiner.hostName());
            json.writeStringProperty("cluster", joiner.clusterName());
            json.writeNumberProperty("bytes", joiner.totalBytes());
            JobReportJson.writeRounded(json, "seconds", result.seconds());
            TransferStats stats = result.stats();
            long received = stats.bytesReceivedFromCluster().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            int own = joiner.clusterIndex();
            long local = own < stats.bytesReceivedFromCluster().size()
                    ? stats.bytesReceivedFromCluster().get(own)
                    : 0;
            json.writeNumberProperty("bytes_received_local", local);
            json.writeNumberProperty("bytes_received_wan", received - local);
            json.writeNumberProperty("bytes_reused", stats.bytesReused());
            if (failure != null) {
                json.writeStringProperty("reason", failure.reason().name().toLowerCase(Locale.ROOT));
                json.writeStringProperty("error", failure.message());
            }
            json.writeEndObject();
        }
        return text + "\n";
    }
}
