package org.robber.cli.report;

import org.robber.RobberException;
import org.robber.cli.report.JobReport.Failure;
import org.robber.emulation.json.JsonObjectWriter;

/** The failure of a command that has no result, as JSON, as {@code failure.schema.json} describes it. */
public final class FailureReport {

    private FailureReport() {}

    /** Indented JSON that ends with a line break. */
    public static String json(RobberException failure) {
        return JsonObjectWriter.document(json -> {
            json.writeNumberProperty("schema", JobReport.SCHEMA);
            json.writeStringProperty("status", "failed");
            json.writeNumberProperty("exit_code", failure.reason().exitCode());
            JobReportJson.writeError(json, Failure.of(failure));
        });
    }
}
