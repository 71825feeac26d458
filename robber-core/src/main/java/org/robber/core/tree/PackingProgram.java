package org.robber.core.tree;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.Arrays;

/**
 * A linear program of the kind that packs things into limits: maximise the sum of x under {@code A x <= b}, with x, A and b not
 * negative. All zeros is a solution, so the simplex method starts there; Bland's rule keeps it from going in circles.
 *
 * <p>The tableau is dense and holds only what is not in the basis: rows times columns numbers. That is enough for the few
 * hundred trees of a plan, and no library is needed for it.
 */
final class PackingProgram {
    private static final double ZERO = 1e-11;

    /** Row i: coefficients of the variables outside of the basis, then the limit. The last row: the objective. */
    private final double[][] tableau;

    private final int columns;

    /** Which variable stands at each column, and which in each row: x first, then the slacks. */
    private final int[] outside;

    private final int[] inside;

    private PackingProgram(double[][] coefficients, double[] limits, int columns) {
        int rows = limits.length;
        this.columns = columns;
        this.tableau = new double[rows + 1][];
        this.outside = new int[columns];
        this.inside = new int[rows];
        for (int row = 0; row < rows; row++) {
            tableau[row] = Arrays.copyOf(coefficients[row], columns + 1);
            tableau[row][columns] = limits[row];
            inside[row] = columns + row;
        }
        tableau[rows] = new double[columns + 1];
        Arrays.fill(tableau[rows], 0, columns, -1);
        for (int column = 0; column < columns; column++) {
            outside[column] = column;
        }
    }

    /**
     * The x of the greatest sum.
     *
     * @param coefficients one row per limit; 0 or more
     * @param limits 0 or more, finite
     * @param columns number of variables, each of which must be in some limit
     */
    static double[] maximise(double[][] coefficients, double[] limits, int columns) {
        double scale = Arrays.stream(limits).max().orElse(0);
        if (scale == 0) {
            return new double[columns];
        }
        double[] scaled = Arrays.stream(limits).map(limit -> limit / scale).toArray();
        double[] x = new PackingProgram(coefficients, scaled, columns).solve();
        return Arrays.stream(x).map(value -> value * scale).toArray();
    }

    private double[] solve() {
        for (int column = entering(); column >= 0; column = entering()) {
            pivot(leaving(column), column);
        }
        double[] x = new double[columns];
        for (int row = 0; row < inside.length; row++) {
            if (inside[row] < columns) {
                x[inside[row]] = Math.max(0, tableau[row][columns]);
            }
        }
        return x;
    }

    /** The variable of the smallest number that still gains something, or -1. */
    private int entering() {
        double[] objective = tableau[inside.length];
        int best = -1;
        for (int column = 0; column < columns; column++) {
            if (objective[column] < -ZERO && (best < 0 || outside[column] < outside[best])) {
                best = column;
            }
        }
        return best;
    }

    /** The row that limits the variable most; of several, the one with the variable of the smallest number. */
    private int leaving(int column) {
        int best = -1;
        double bestRatio = 0;
        for (int row = 0; row < inside.length; row++) {
            if (tableau[row][column] > ZERO) {
                double ratio = tableau[row][columns] / tableau[row][column];
                boolean isTie = best >= 0 && Math.abs(ratio - bestRatio) <= ZERO;
                if (best < 0 || (isTie ? inside[row] < inside[best] : ratio < bestRatio)) {
                    best = row;
                    bestRatio = ratio;
                }
            }
        }
        checkArgument(best >= 0, "nothing limits variable %s", outside[column]);
        return best;
    }

    private void pivot(int pivotRow, int pivotColumn) {
        double[] pivots = tableau[pivotRow];
        double pivot = pivots[pivotColumn];
        for (int column = 0; column <= columns; column++) {
            pivots[column] /= pivot;
        }
        pivots[pivotColumn] = 1 / pivot;
        for (int row = 0; row < tableau.length; row++) {
            double factor = tableau[row][pivotColumn];
            if (row != pivotRow && factor != 0) {
                for (int column = 0; column <= columns; column++) {
                    tableau[row][column] -= factor * pivots[column];
                }
                tableau[row][pivotColumn] = -factor * pivots[pivotColumn];
            }
        }
        int entered = outside[pivotColumn];
        outside[pivotColumn] = inside[pivotRow];
        inside[pivotRow] = entered;
    }
}
