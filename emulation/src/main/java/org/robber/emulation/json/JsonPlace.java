package org.robber.emulation.json;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.robber.emulation.json.JsonTree.Numeral;

/**
 * A value in a JSON text, and its place there. Methods throw a {@link JsonException} that names the place if the value is not of
 * the expected kind.
 */
public final class JsonPlace {
    private static final Pattern PLAIN_KEY = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,19}");
    private static final int LONGEST_QUOTE = 60;

    private final String fileName;
    private final String path;
    private final @Nullable Object value;

    JsonPlace(String fileName, String path, @Nullable Object value) {
        this.fileName = fileName;
        this.path = path;
        this.value = value;
    }

    /** Whether it is {@code null}, or not there at all. */
    public boolean isAbsent() {
        return value == null;
    }

    /** Whether it is a list. */
    public boolean isList() {
        return value instanceof List;
    }

    /** A field of this object; absent if the object does not have it. */
    public JsonPlace field(String key) {
        Object found = value instanceof Map<?, ?> map ? map.get(key) : null;
        return new JsonPlace(fileName, path(path, key), found);
    }

    /** Whether this object has a field of that name, be it null. */
    public boolean has(String key) {
        return value instanceof Map<?, ?> map && map.containsKey(key);
    }

    /** The keys of this object. */
    public ImmutableList<String> keys(String expected) {
        if (!(value instanceof Map<?, ?> map)) {
            throw fault(expected);
        }
        return ImmutableList.copyOf(Iterables.filter(map.keySet(), String.class));
    }

    /** Demands an object that has no other keys than these. */
    public void allowOnly(String expected, Set<String> known) {
        for (String key : keys(expected)) {
            if (!known.contains(key)) {
                throw field(key).problem("unknown key; expected one of " + String.join(", ", known));
            }
        }
    }

    /** The items of this list. */
    public ImmutableList<JsonPlace> items(String expected) {
        if (!(value instanceof List<?> list)) {
            throw fault(expected);
        }
        ImmutableList.Builder<JsonPlace> items = ImmutableList.builderWithExpectedSize(list.size());
        for (int i = 0; i < list.size(); i++) {
            items.add(new JsonPlace(fileName, path(path, i), list.get(i)));
        }
        return items.build();
    }

    /** This text. */
    public String text(String expected) {
        if (!(value instanceof String text)) {
            throw fault(expected);
        }
        return text;
    }

    /** A number between two others, exactly as it is written. */
    public BigDecimal number(String expected, double least, double most) {
        if (!(value instanceof Numeral numeral)) {
            throw fault(expected);
        }
        double rounded = Double.parseDouble(numeral.text());
        if (!(rounded >= least && rounded <= most)) {
            throw fault(expected);
        }
        // A number that a double rounds to zero may have an exponent that a decimal cannot hold.
        return rounded == 0 ? BigDecimal.ZERO : new BigDecimal(numeral.text());
    }

    /** A whole number that a {@code long} holds. */
    public long whole(String expected) {
        if (value instanceof Numeral numeral && WHOLE.matcher(numeral.text()).matches()) {
            try {
                return Long.parseLong(numeral.text());
            } catch (NumberFormatException e) {
                throw fault(expected);
            }
        }
        throw fault(expected);
    }

    /** The exception for a value of another kind. */
    public JsonException fault(String expected) {
        return problem("expected " + expected + ", found " + found());
    }

    /** The exception for another fault at this place. */
    public JsonException problem(String problem) {
        return new JsonException(fileName + ": " + path + ": " + problem);
    }

    /** The path to a field of the object at another path. */
    static String path(String parent, String key) {
        return PLAIN_KEY.matcher(key).matches() ? parent + "." + key : parent + "[" + quoted(key) + "]";
    }

    /** The path to an item of the list at another path. */
    static String path(String parent, int index) {
        return parent + "[" + index + "]";
    }

    private String found() {
        if (value == null) {
            return "nothing";
        } else if (value instanceof String text) {
            return quoted(text);
        } else if (value instanceof Numeral numeral) {
            return shortened(numeral.text());
        } else if (value instanceof List<?> list) {
            return "a list of " + list.size();
        }
        return value instanceof Map ? "an object" : value.toString();
    }

    private static String quoted(String text) {
        return '"' + shortened(text.replaceAll("\\p{Cntrl}", "?")) + '"';
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST_QUOTE ? text : text.substring(0, LONGEST_QUOTE) + "...";
    }
}
