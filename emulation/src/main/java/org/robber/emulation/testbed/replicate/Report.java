package org.robber.emulation.testbed.replicate;

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

/**
 * What this package needs of the report of {@code robber-cli replicate}, whose schema {@code robber-cli} keeps.
 *
 * @param seconds from the root's start to the last node's last verified piece
 * @param problem empty if every node is complete
 */
record Report(double seconds, String problem, ImmutableList<Node> nodes, ImmutableList<Link> links) {

    /** One node of the report. */
    record Node(
            int rank,
            boolean complete,
            double seconds,
            long localBytes,
            long outsideBytes,
            long stolenPieces,
            long controlBytes) {}

    /** Data that went from one cluster to another, by their names. */
    record Link(String from, String to, long bytes) {}

    private static final JsonFactory FACTORY = new JsonFactory();

    /**
     * Reads a report.
     *
     * @throws IllegalArgumentException if it is none
     */
    static Report parse(String json) {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), json)) {
            return report(map(parser.nextToken() == null ? null : value(parser)));
        } catch (JacksonException e) {
            throw new IllegalArgumentException("not a report: " + e.getOriginalMessage(), e);
        }
    }

    private static Report report(Map<?, ?> fields) {
        ImmutableList.Builder<Node> nodes = ImmutableList.builder();
        for (Object item : list(fields.get("nodes"))) {
            Map<?, ?> node = map(item);
            nodes.add(new Node(
                    (int) whole(node, "rank"),
                    "complete".equals(node.get("status")),
                    number(node, "seconds"),
                    whole(node, "bytes_received_local"),
                    whole(node, "bytes_received_wan"),
                    whole(node, "pieces_stolen_wan"),
                    whole(node, "control_bytes_sent")));
        }
        ImmutableList.Builder<Link> links = ImmutableList.builder();
        for (Object item : list(fields.get("links"))) {
            Map<?, ?> link = map(item);
            links.add(new Link(text(link, "from"), text(link, "to"), whole(link, "bytes")));
        }
        Object error = fields.get("error");
        return new Report(
                number(fields, "seconds"),
                error == null ? "" : text(map(error), "message"),
                nodes.build(),
                links.build());
    }

    private static @Nullable Object value(JsonParser parser) {
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                Map<String, @Nullable Object> fields = new LinkedHashMap<>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    parser.nextToken();
                    fields.put(name, value(parser));
                }
                yield fields;
            }
            case START_ARRAY -> {
                List<@Nullable Object> items = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    items.add(value(parser));
                }
                yield items;
            }
            case VALUE_STRING -> parser.getString();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> null;
        };
    }

    private static Map<?, ?> map(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return map;
        }
        throw new IllegalArgumentException("not a report: no object where one belongs");
    }

    private static List<?> list(@Nullable Object value) {
        if (value instanceof List<?> list) {
            return list;
        }
        throw new IllegalArgumentException("not a report: no list where one belongs");
    }

    private static double number(Map<?, ?> fields, String name) {
        if (fields.get(name) instanceof Double number) {
            return number;
        }
        throw new IllegalArgumentException("not a report: no number " + name);
    }

    /** Exact up to 2^53 bytes. */
    private static long whole(Map<?, ?> fields, String name) {
        return (long) number(fields, name);
    }

    private static String text(Map<?, ?> fields, String name) {
        if (fields.get(name) instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException("not a report: no text " + name);
    }
}
