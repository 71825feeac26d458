package org.robber.bench.loopback;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Maps, lists, numbers, texts and truth values as JSON. */
final class JsonText {
    private static final String STEP = "  ";

    private JsonText() {}

    /** The value, indented. */
    static String of(Object value) {
        return of(value, "\n");
    }

    private static String of(Object value, String newline) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry -> quote(entry.getKey().toString()) + ": " + of(entry.getValue(), newline + STEP))
                    .collect(Collectors.joining("," + newline + STEP, "{" + newline + STEP, newline + "}"));
        }
        if (value instanceof List<?> list) {
            return list.stream()
                    .map(element -> of(element, newline + STEP))
                    .collect(Collectors.joining("," + newline + STEP, "[" + newline + STEP, newline + "]"));
        }
        if (value instanceof Double number && !Double.isFinite(number)) {
            return "null"; // such as a ratio to a CPU time of less than a tick
        }
        return value instanceof Number || value instanceof Boolean ? value.toString() : quote(value.toString());
    }

    private static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ') {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
