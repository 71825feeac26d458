package org.robber.bench.loopback;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Arguments of the form {@code --name=value}, between the user and the parent, and between the parent and its processes. */
final class Arguments {
    private final Map<String, String> values;

    private Arguments(Map<String, String> values) {
        this.values = values;
    }

    /**
     * Arguments of these names only.
     *
     * @throws IllegalArgumentException if one has another form or name, or is given twice
     */
    static Arguments parse(Set<String> names, String... arguments) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            if (!argument.startsWith("--") || equals < 0) {
                throw new IllegalArgumentException("'" + argument + "' is not of the form --name=value");
            }
            String name = argument.substring(2, equals);
            if (!names.contains(name)) {
                throw new IllegalArgumentException("no option --" + name + ": there are " + new TreeSet<>(names));
            }
            if (values.put(name, argument.substring(equals + 1)) != null) {
                throw new IllegalArgumentException("--" + name + " is given twice");
            }
        }
        return new Arguments(values);
    }

    /** The form that {@link #parse} reads. */
    static List<String> format(Map<String, ?> values) {
        List<String> arguments = new ArrayList<>();
        values.forEach((name, value) -> arguments.add("--" + name + "=" + value));
        return arguments;
    }

    /** The value of an argument that must be there. */
    String text(String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("--" + name + " is missing");
        }
        return value;
    }

    /** A whole number that is not negative. */
    long number(String name) {
        String value = text(name);
        if (!value.matches("[0-9]{1,18}")) {
            throw new IllegalArgumentException("--" + name + "=" + value + " is not a whole number");
        }
        return Long.parseLong(value);
    }

    int count(String name) {
        return Math.toIntExact(number(name));
    }
}
