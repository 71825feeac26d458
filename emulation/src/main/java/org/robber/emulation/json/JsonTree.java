package org.robber.emulation.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads JSON into maps, lists, strings, {@link Numeral}s, booleans and nulls. Binding objects would cost every short command
 * a few hundred classes, and would not locate faults in the file.
 */
public final class JsonTree {

    /** A number as it is written; its reader interprets it. */
    record Numeral(String text) {}

    private static final JsonFactory FACTORY = new JsonFactory();

    /** The parser says in which of its settings a limit is; users cannot set it. */
    private static final Pattern SETTING = Pattern.compile(", from `[^`]*`");

    private final String fileName;
    private final JsonParser parser;

    private JsonTree(String fileName, JsonParser parser) {
        this.fileName = fileName;
        this.parser = parser;
    }

    /**
     * The outermost value.
     *
     * @param fileName name of the text in messages
     * @throws JsonException if it is not JSON
     */
    public static JsonPlace parse(String fileName, String json) {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), json)) {
            return new JsonTree(fileName, parser).whole();
        }
    }

    private JsonPlace whole() {
        try {
            return root();
        } catch (JacksonException e) {
            TokenStreamLocation known = e.getLocation();
            String reason = SETTING.matcher(e.getOriginalMessage()).replaceAll("");
            throw new JsonException(
                    fileName + ": " + lineAndColumn(known == null ? parser.currentLocation() : known) + "not JSON: "
                            + reason,
                    e);
        }
    }

    private JsonPlace root() {
        if (parser.nextToken() == null) {
            throw new JsonException(fileName + ": not JSON: the file is empty");
        }
        JsonPlace root = new JsonPlace(fileName, "$", value("$"));
        if (parser.nextToken() != null) {
            throw new JsonException(fileName + ": " + lineAndColumn(parser.currentTokenLocation())
                    + "not JSON: something follows after the end");
        }
        return root;
    }

    private @Nullable Object value(String path) {
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(path);
            case START_ARRAY -> list(path);
            case VALUE_STRING -> parser.getString();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Numeral(parser.getString());
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> null;
        };
    }

    private Map<String, @Nullable Object> object(String path) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            String fieldPath = JsonPlace.path(path, name);
            parser.nextToken();
            Object value = value(fieldPath);
            if (fields.containsKey(name)) {
                throw new JsonException(fileName + ": " + fieldPath + ": expected this key once, found it twice");
            }
            fields.put(name, value);
        }
        return fields;
    }

    private List<@Nullable Object> list(String path) {
        List<@Nullable Object> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(value(JsonPlace.path(path, items.size())));
        }
        return items;
    }

    private static String lineAndColumn(TokenStreamLocation at) {
        return "line " + at.getLineNr() + ", column " + at.getColumnNr() + ": ";
    }
}
