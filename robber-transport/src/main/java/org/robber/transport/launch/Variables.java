package org.robber.transport.launch;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;

/** The variables of an environment. One that is empty counts as not set, as the shell's {@code NAME= command} means it. */
final class Variables {
    /** So many digits always fit into an int. */
    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");

    private final Map<String, String> values;

    Variables(Map<String, String> values) {
        this.values = Map.copyOf(values);
    }

    boolean has(String name) {
        return text(name) != null;
    }

    /** Whether it is set, even to an empty value. */
    boolean mentions(String name) {
        return values.containsKey(name);
    }

    /** The value, or null if there is none. */
    @Nullable
    String text(String name) {
        String value = values.get(name);
        return value == null || value.isEmpty() ? null : value;
    }

    /** The value of the first of these that is set, or null. */
    @Nullable
    String firstText(String... names) {
        for (String name : names) {
            String value = text(name);
            if (value != null) {
                return value;
            }
        }
        return null;
    }

    /**
     * A number, at least 0.
     *
     * @throws RobberException if it isn't set, or isn't a number
     */
    int number(String name) {
        String value = text(name);
        if (value == null) {
            throw usage(name + " is not set");
        }
        if (!NUMBER.matcher(value).matches()) {
            throw usage(name + "=" + value + " is not a number from 0 to 999999999");
        }
        return Integer.parseInt(value);
    }

    /** An error in the environment. The message names the variable and what to do. */
    static RobberException usage(String message) {
        return new RobberException(Reason.USAGE, List.of(), "environment", message);
    }

    /** The launcher's variables don't say where rank 0 listens. */
    static RobberException needsUri(String why) {
        return usage(why + ": set ROBBER_URI=robber://JOB@HOST:PORT to where rank 0 can listen");
    }
}
