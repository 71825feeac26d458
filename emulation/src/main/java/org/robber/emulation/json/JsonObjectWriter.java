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

    /** The same as a file: it ends with a line break. */
    public static String document(Consumer<JsonGenerator> fields) {
        return indented(fields) + "\n";
    }

    /** Writes a list of objects with these fields, one for each item. */
    public static <T> void objects(JsonGenerator json, String name, Iterable<T> items, Consumer<? super T> fields) {
        json.writeArrayPropertyStart(name);
        for (T item : items) {
            json.writeStartObject();
            fields.accept(item);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** Writes a list of texts. */
    public static void texts(JsonGenerator json, String name, Iterable<String> texts) {
        json.writeArrayPropertyStart(name);
        texts.forEach(json::writeString);
        json.writeEndArray();
    }

    /** Writes a list of whole numbers. */
    public static void numbers(JsonGenerator json, String name, Iterable<? extends Number> numbers) {
        json.writeArrayPropertyStart(name);
        numbers.forEach(number -> json.writeNumber(number.longValue()));
        json.writeEndArray();
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
