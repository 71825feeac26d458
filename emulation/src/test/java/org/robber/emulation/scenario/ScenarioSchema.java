package org.robber.emulation.scenario;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Checks scenario files against the schema that users get. */
final class ScenarioSchema {
    private static final Schema SCHEMA = load();

    private ScenarioSchema() {}

    /** What is wrong with a file; empty if nothing is. */
    static List<Error> problems(String json) {
        return SCHEMA.validate(json, InputFormat.JSON);
    }

    private static Schema load() {
        try (InputStream in = Scenario.class.getResourceAsStream("scenario.schema.json")) {
            SchemaRegistry registry = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
            return registry.getSchema(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
