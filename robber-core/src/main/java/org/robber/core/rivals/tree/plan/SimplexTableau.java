package org.robber.core.rivals.tree.plan;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.primitives.Doubles;
import java.util.Arrays;
import org.robber.core.random.SeededRandom;

/**
 * The simplex method on a dense tableau that holds only what is not in the basis: rows times columns numbers.
 *
 * <p>Entering variable: first each variable once, in their order, so that a caller who knows a good order starts from its
 * solution. Then by steepest edge: the largest gain for each unit of length that the solution moves.
 *
 * <p>Leaving variable: during the second part it is found with perturbed limits, each a little larger by another amount.
 * Degenerate vertices would otherwise cost many steps without gain, or cycles. The result is read from the true limits. Bland's rule,
 * which never cycles, did not end in minutes for 22 clusters.
 */
final class SimplexTableau {
    /** Reduced costs below this count as zero; the initial ones are 1. */
    private static final double NO_GAIN = 1e-9;

    /** Pivots must be larger: a smaller one is a rounding error, or amplifies others. Coefficients are around 1. */
    private static final double LEAST_PIVOT = 1e-7;

    /** A difference that is a smaller part of the minuend counts as 0. */
    private static final double CANCELLED = 1e-12;

    /** Steps that differ by a smaller part are of the same length. */
    private static final double TIE = 1e-11;

    /** Smallest relative perturbation of a limit; the largest is twice that. */
    private static final double PERTURBATION = 1e-9;

    /** A sum that lacks less than this part of what one limit allows cannot grow. */
    private static final double REACHED = 1e-12;

    /**
     * Row i: coefficients of the variables outside of the basis, then the limit, then the perturbed limit. The last row: the
     * objective.
     */
    private final double[][] tableau;

    /** An upper bound of the sum, from any limit that contains all variables. */
    private final double bound;

    private final int rows;
    private final int columns;

    /** Which variable stands at each column, and which in each row: x first, then the slacks. */
    private final int[] outside;

    private final int[] inside;
    private final long mostWork;
    private long work;

    /** Columns at hand: those of a row that are not 0, or those that gain. */
    private final int[] some;

    private final double[] squares;

    /**
     * A tableau at the solution of zeros.
     *
     * @param limits around 1, or less
     * @param mostWork how many numbers may be read or changed
     */
    SimplexTableau(double[][] coefficients, double[] limits, int columns, long mostWork) {
        this.rows = limits.length;
        this.columns = columns;
        this.mostWork = mostWork;
        this.tableau = new double[rows + 1][];
        this.outside = new int[columns];
        this.inside = new int[rows];
        this.some = new int[columns + 2];
        this.squares = new double[columns];
        double least = Double.POSITIVE_INFINITY;
        for (int row = 0; row < rows; row++) {
            tableau[row] = Arrays.copyOf(coefficients[row], columns + 2);
            tableau[row][columns] = limits[row];
            tableau[row][columns + 1] = limits[row];
            inside[row] = columns + row;
            double counted = Doubles.min(coefficients[row]);
            least = counted > 0 ? Math.min(least, limits[row] / counted) : least;
        }
        this.bound = least;
        tableau[rows] = new double[columns + 2];
        Arrays.fill(tableau[rows], 0, columns, -1);
        for (int column = 0; column < columns; column++) {
            outside[column] = column;
        }
    }

    /**
     * The variables of the greatest sum.
     *
     * @throws IllegalArgumentException if that takes too much work
     */
    double[] solve() {
        for (int column = 0; column < columns; column++) {
            if (tableau[rows][column] < -NO_GAIN) {
                enter(column);
            }
        }
        widen();
        for (int column = steepest(); column >= 0 && !isReached(); column = steepest()) {
            enter(column);
        }
        double[] x = new double[columns];
        for (int row = 0; row < rows; row++) {
            if (inside[row] < columns) {
                x[inside[row]] = Math.max(0, tableau[row][columns]);
            }
        }
        return x;
    }

    private void widen() {
        SeededRandom random = new SeededRandom(rows);
        for (int row = 0; row < rows; row++) {
            tableau[row][columns + 1] = Math.max(0, tableau[row][columns]) + PERTURBATION * (1 + random.nextDouble());
        }
    }

    private boolean isReached() {
        return tableau[rows][columns] >= bound * (1 - REACHED);
    }

    /** Moves along a variable as far as limits allow. */
    private void enter(int column) {
        double step = step(column);
        if (Double.isInfinite(step)) {
            // Every x has a limit: the gain is an error of arithmetic.
            tableau[rows][column] = 0;
        } else {
            pivot(leaving(column, step), column);
        }
    }

    /** The column that gains most for the length of its edge, or -1; of several, that of the smallest number. */
    private int steepest() {
        int count = 0;
        for (int column = 0; column < columns; column++) {
            if (tableau[rows][column] < -NO_GAIN) {
                some[count++] = column;
            }
        }
        Arrays.fill(squares, 0, count, 1);
        for (int row = 0; row < rows && count > 1; row++) {
            double[] numbers = tableau[row];
            for (int i = 0; i < count; i++) {
                squares[i] += numbers[some[i]] * numbers[some[i]];
            }
        }
        account((long) rows * count);
        int best = -1;
        double bestSlope = 0;
        for (int i = 0; i < count; i++) {
            double gain = tableau[rows][some[i]];
            double slope = gain * gain / squares[i];
            if (best < 0 || slope > bestSlope || (slope == bestSlope && outside[some[i]] < outside[best])) {
                best = some[i];
                bestSlope = slope;
            }
        }
        return best;
    }

    /** How far a variable can grow; infinite if nothing limits it. */
    private double step(int column) {
        double least = Double.POSITIVE_INFINITY;
        for (int row = 0; row < rows; row++) {
            if (tableau[row][column] > LEAST_PIVOT) {
                least = Math.min(least, ratio(row, column));
            }
        }
        return least;
    }

    private double ratio(int row, int column) {
        return Math.max(0, tableau[row][columns + 1]) / tableau[row][column];
    }

    /** The row that limits the variable; of several, the one with the greatest coefficient, as it makes the smallest errors. */
    private int leaving(int column, double step) {
        int best = -1;
        for (int row = 0; row < rows; row++) {
            double coefficient = tableau[row][column];
            boolean isLimit = coefficient > LEAST_PIVOT && ratio(row, column) <= step * (1 + TIE);
            if (isLimit && (best < 0 || coefficient > tableau[best][column])) {
                best = row;
            }
        }
        return best;
    }

    private void pivot(int pivotRow, int pivotColumn) {
        double[] pivots = tableau[pivotRow];
        double pivot = pivots[pivotColumn];
        int count = 0;
        for (int column = 0; column < columns + 2; column++) {
            if (pivots[column] != 0 && column != pivotColumn) {
                pivots[column] /= pivot;
                some[count++] = column;
            }
        }
        pivots[pivotColumn] = 1 / pivot;
        long changed = 0;
        for (int row = 0; row <= rows; row++) {
            double factor = tableau[row][pivotColumn];
            if (row != pivotRow && factor != 0) {
                subtract(tableau[row], factor, pivots, count);
                tableau[row][pivotColumn] = -factor * pivots[pivotColumn];
                changed += count;
            }
        }
        account(changed + rows + columns);
        int entered = outside[pivotColumn];
        outside[pivotColumn] = inside[pivotRow];
        inside[pivotRow] = entered;
    }

    private void subtract(double[] numbers, double factor, double[] pivots, int count) {
        for (int i = 0; i < count; i++) {
            int column = some[i];
            double before = numbers[column];
            double after = before - factor * pivots[column];
            numbers[column] = Math.abs(after) <= CANCELLED * Math.abs(before) ? 0 : after;
        }
    }

    private void account(long numbers) {
        work += numbers;
        checkArgument(
                work <= mostWork,
                "the linear program of %s trees and %s limits is not solved after %s numbers; %s",
                columns,
                rows,
                mostWork,
                Infeasible.OTHER_STRATEGIES);
    }
}
