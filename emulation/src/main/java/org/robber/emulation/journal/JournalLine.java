package org.robber.emulation.journal;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** A line that was read: an object whose fields are asked for by name. What is asked for and not there is a fault of the line. */
final class JournalLine {

    private static final JsonFactory FACTORY = new JsonFactory();

    private final Map<?, ?> fields;

    private JournalLine(Map<?, ?> fields) {
        this.fields = fields;
    }

    /**
     * Reads a line.
     *
     * @throws IllegalArgumentException if it is no JSON object
     */
    static JournalLine parse(String text) {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
            if (parser.nextToken() == JsonToken.START_OBJECT && value(parser) instanceof Map<?, ?> fields) {
                return new JournalLine(fields);
            }
        } catch (JacksonException e) {
            throw new IllegalArgumentException("not JSON: " + e.getOriginalMessage(), e);
        }
        throw new IllegalArgumentException("no object");
    }

    private static @Nullable Object value(JsonParser parser) {
        switch (parser.currentToken()) {
            case START_OBJECT -> {
                Map<String, @Nullable Object> object = new LinkedHashMap<>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    parser.nextToken();
                    object.put(name, value(parser));
                }
                return object;
            }
            case START_ARRAY -> {
                List<@Nullable Object> list = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    list.add(value(parser));
                }
                return list;
            }
            case VALUE_STRING -> {
                return parser.getString();
            }
            case VALUE_NUMBER_INT -> {
                return parser.getLongValue();
            }
            default -> {
                // nothing else stands in a journal
                return null;
            }
        }
    }

    String text(String name) {
        if (fields.get(name) instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException("no text: " + name);
    }

    long number(String name) {
        return number(fields.get(name), name);
    }

    Map<String, String> texts(String name) {
        Map<String, String> texts = new LinkedHashMap<>();
        if (fields.get(name) instanceof Map<?, ?> map) {
            map.forEach((key, value) -> texts.put(String.valueOf(key), String.valueOf(value)));
            return texts;
        }
        throw new IllegalArgumentException("no object: " + name);
    }

    ImmutableList<Long> numbers(String name) {
        return numbers(fields.get(name), name);
    }

    /** A list of lists that have so many numbers each. */
    ImmutableList<ImmutableList<Long>> table(String name, int columns) {
        ImmutableList.Builder<ImmutableList<Long>> rows = ImmutableList.builder();
        for (Object row : list(fields.get(name), name)) {
            ImmutableList<Long> numbers = numbers(row, name);
            if (numbers.size() != columns) {
                throw new IllegalArgumentException(
                        numbers.size() + " numbers in " + name + " where " + columns + " belong");
            }
            rows.add(numbers);
        }
        return rows.build();
    }

    private static ImmutableList<Long> numbers(@Nullable Object value, String name) {
        ImmutableList.Builder<Long> numbers = ImmutableList.builder();
        list(value, name).forEach(item -> numbers.add(number(item, name)));
        return numbers.build();
    }

    private static List<?> list(@Nullable Object value, String name) {
        if (value instanceof List<?> list) {
            return list;
        }
        throw new IllegalArgumentException("no list: " + name);
    }

    private static long number(@Nullable Object value, String name) {
        if (value instanceof Long number) {
            return number;
        }
        throw new IllegalArgumentException("no whole number: " + name);
    }
}
