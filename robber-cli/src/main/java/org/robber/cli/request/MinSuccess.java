package org.robber.cli.request;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many nodes must be complete, the one of rank 0 included, for a job to be of use.
 *
 * @param amount of nodes, at least 1; or of percent, 1..100
 * @param isPercent whether it is a share of all nodes
 */
public record MinSuccess(int amount, boolean isPercent) {

    private static final Pattern FORM = Pattern.compile("([1-9]\\d{0,8})(%?)");
    private static final int WHOLE = 100;

    /**
     * From {@code 12} or {@code 90%}.
     *
     * @throws IllegalArgumentException if it is neither, or out of range
     */
    public static MinSuccess parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw problem(text);
        }
        MinSuccess parsed =
                new MinSuccess(Integer.parseInt(form.group(1)), !form.group(2).isEmpty());
        if (parsed.isPercent && parsed.amount > WHOLE) {
            throw problem(text);
        }
        return parsed;
    }

    private static IllegalArgumentException problem(String text) {
        return new IllegalArgumentException(
                "'" + text + "' is neither a number of nodes above zero, such as 12, nor a share, 1% to 100%");
    }

    /** The least number of nodes out of so many; more than those if there can't be as many. */
    public int nodes(int size) {
        return isPercent ? Math.toIntExact(((long) size * amount + WHOLE - 1) / WHOLE) : amount;
    }

    @Override
    public String toString() {
        return amount + (isPercent ? "%" : "");
    }
}
