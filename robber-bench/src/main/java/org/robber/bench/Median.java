package org.robber.bench;

import java.util.Arrays;

/** The middle of values, or the mean of the two in the middle. */
public final class Median {
    private Median() {}

    /**
     * The median.
     *
     * @param values at least one, in any order; they stay as they are
     */
    public static double of(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
