package org.robber.emulation.json;

import java.io.StringWriter;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultPrettyPrinter;

/** Writes JSON objects. */
public final class JsonObjectWriter {

    private static final JsonFactory FACTORY = new JsonFactory();

    private JsonObjectWriter() {}

    /** An object with these fields, on one line without a line break. */
    public static String line(Consumer<JsonGenerator> fields) {
        return text(ObjectWriteContext.empty(), fields);
    }

    /** An indented object with these fields. */
    public static String indented(Consumer<JsonGenerator> fields) {
        return text(new Indented(), fields);
    }

    private static String text(ObjectWriteContext context, Consumer<JsonGenerator> fields) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(context, text)) {
            json.writeStartObject();
            fields.accept(json);
            json.writeEndObject();
        }
        return text.toString();
    }

    private static final class Indented extends ObjectWriteContext.Base {
        @Override
        public PrettyPrinter getPrettyPrinter() {
            return new DefaultPrettyPrinter();
        }
    }
}
