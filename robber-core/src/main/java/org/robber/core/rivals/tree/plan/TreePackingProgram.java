package org.robber.core.rivals.tree.plan;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.Arrays;

/**
 * A packing linear program: maximise the sum of x under {@code A x <= b}, with x, A and b not
 * negative. All zeros is a solution, so the simplex method starts there: see {@link SimplexTableau}. Its result is the same on
 * every machine.
 */
final class TreePackingProgram {
    /**
     * Numbers that may be read or changed on the way to the optimum. A machine does some 300 to 500 million in a second. The
     * simplex method nearly always ends after a few rounds through its variables, but nothing promises that.
     */
    static final long MOST_WORK = 4_000_000_000L;

    /** A limit that is exceeded by more than this part of it is not a matter of rounding. */
    private static final double ROUNDING = 1e-6;

    private TreePackingProgram() {}

    /**
     * The x of the greatest sum.
     *
     * @param coefficients one row per limit; 0 or more
     * @param limits 0 or more, finite
     * @param columns number of variables, each of which must be in some limit; those that come first are tried first
     * @param mostWork numbers that may be read or changed, usually {@link #MOST_WORK}
     * @throws IllegalArgumentException if nothing limits a variable, or this takes more than that
     */
    static double[] maximise(double[][] coefficients, double[] limits, int columns, long mostWork) {
        for (int column = 0; column < columns; column++) {
            int variable = column;
            checkArgument(
                    Arrays.stream(coefficients).anyMatch(row -> row[variable] > 0),
                    "nothing limits variable %s",
                    variable);
        }
        double scale = Arrays.stream(limits).max().orElse(0);
        if (scale == 0) {
            return new double[columns];
        }
        double[] scaled = Arrays.stream(limits).map(limit -> limit / scale).toArray();
        double[] x = new SimplexTableau(coefficients, scaled, columns, mostWork).solve();
        fit(x, coefficients, scaled);
        return Arrays.stream(x).map(value -> value * scale).toArray();
    }

    /** Scales the solution down where rounding exceeds a limit. */
    private static void fit(double[] x, double[][] coefficients, double[] limits) {
        for (int row = 0; row < limits.length; row++) {
            for (int column = 0; column < x.length && limits[row] == 0; column++) {
                x[column] = coefficients[row][column] > 0 ? 0 : x[column];
            }
        }
        double most = 1;
        for (int row = 0; row < limits.length; row++) {
            double used = 0;
            for (int column = 0; column < x.length; column++) {
                used += coefficients[row][column] * x[column];
            }
            most = Math.max(most, limits[row] == 0 ? 0 : used / limits[row]);
        }
        checkArgument(
                most <= 1 + ROUNDING,
                "the linear program of %s trees and %s limits is beyond the precision of its numbers; %s",
                x.length,
                limits.length,
                Infeasible.OTHER_STRATEGIES);
        for (int column = 0; column < x.length; column++) {
            x[column] /= most;
        }
    }
}
