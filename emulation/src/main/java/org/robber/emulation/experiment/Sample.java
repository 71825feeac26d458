package org.robber.emulation.experiment;

import com.google.common.primitives.ImmutableDoubleArray;
import java.util.Collection;

/**
 * Statistics of some measured values. Sums are taken in the order of the values, so that the same runs give the same
 * figures everywhere.
 *
 * @param count how many values
 * @param mean NaN if there are none
 * @param halfWidth95 half the width of the 95 % confidence interval of the mean, by Student's t; NaN below two values
 * @param smallest NaN if there are none
 * @param largest NaN if there are none
 */
public record Sample(int count, double mean, double halfWidth95, double smallest, double largest) {

    /** The quantiles of Student's t for 97.5 %, for 1 to 10 degrees of freedom. */
    private static final ImmutableDoubleArray T975 = ImmutableDoubleArray.of(
            12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157, 2.228139);

    /** The quantile of the normal distribution for 97.5 %. */
    private static final double Z975 = 1.9599640;

    /** Of these values without NaN, which stands for a value that could not be measured. */
    public static Sample of(Collection<Double> values) {
        double sum = 0;
        double smallest = Double.POSITIVE_INFINITY;
        double largest = Double.NEGATIVE_INFINITY;
        int count = 0;
        for (double value : values) {
            if (!Double.isNaN(value)) {
                count++;
                sum += value;
                smallest = Math.min(smallest, value);
                largest = Math.max(largest, value);
            }
        }
        if (count == 0) {
            return new Sample(0, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
        }
        double mean = sum / count;
        return new Sample(count, mean, halfWidth(values, count, mean), smallest, largest);
    }

    private static double halfWidth(Collection<Double> values, int count, double mean) {
        if (count < 2) {
            return Double.NaN;
        }
        double squares = 0;
        for (double value : values) {
            if (!Double.isNaN(value)) {
                squares += (value - mean) * (value - mean);
            }
        }
        return t975(count - 1) * Math.sqrt(squares / (count - 1) / count);
    }

    /** Student's t for 97.5 %: from the table, then by the first terms of its expansion, off by less than 2e-4. */
    static double t975(int freedom) {
        if (freedom <= T975.length()) {
            return T975.get(freedom - 1);
        }
        double z = Z975;
        double z3 = z * z * z;
        double z5 = z3 * z * z;
        double z7 = z5 * z * z;
        double n = freedom;
        return z
                + (z3 + z) / (4 * n)
                + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n)
                + (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * n * n * n);
    }
}
