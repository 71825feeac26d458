package org.robber.cli.report;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Checks reports against the schema that users get. */
public final class ReportSchema {

    private ReportSchema() {}

    /** What is wrong with a report; empty if nothing is. */
    public static List<Error> problems(String json) throws IOException {
        return problems(json, "report.schema.json");
    }

    /** What is wrong with JSON that is described by another schema of the command's. */
    public static List<Error> problems(String json, String name) throws IOException {
        try (InputStream in = JobReport.class.getResourceAsStream("/org/robber/cli/" + name)) {
            SchemaRegistry registry = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
            Schema schema = registry.getSchema(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            return schema.validate(json, InputFormat.JSON);
        }
    }
}
