package org.robber.core.rivals.tree.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;

class TreePackingProgramTest {

    @Test
    void asMuchAsFitsAndNoMore() {
        double[][] uses = {{1, 1, 0}, {0, 1, 1}, {1, 2, 1}};
        double[] x = TreePackingProgram.maximise(uses, new double[] {10, 8, 10}, 3, TreePackingProgram.MOST_WORK);
        assertThat(Arrays.stream(x).sum()).isCloseTo(10, within(1e-9));
        assertFits(uses, new double[] {10, 8, 10}, x);
    }

    @Test
    void nothingFitsIntoNothing() {
        assertThat(TreePackingProgram.maximise(
                        new double[][] {{1, 1}}, new double[] {0}, 2, TreePackingProgram.MOST_WORK))
                .containsExactly(0, 0);
    }

    @Test
    void whatNothingLimitsIsAnError() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TreePackingProgram.maximise(
                        new double[][] {{1, 0}}, new double[] {1}, 2, TreePackingProgram.MOST_WORK));
    }

    /** A program on which the simplex method goes in circles without a rule against it. */
    @Test
    void manyEqualLimitsDoNotSendItInCircles() {
        SeededRuns.run(50, random -> {
            double[][] uses = new double[12][10];
            double[] limits = new double[12];
            for (int row = 0; row < 12; row++) {
                limits[row] = random.nextInt(2);
                for (int column = 0; column < 10; column++) {
                    uses[row][column] = random.nextInt(2);
                }
            }
            Arrays.fill(uses[0], 1);
            assertFits(uses, limits, TreePackingProgram.maximise(uses, limits, 10, TreePackingProgram.MOST_WORK));
        });
    }

    /** Against all corners: of three variables, each is where three of the limits, or zeros, hold exactly. */
    @Test
    void noCornerIsBetter() {
        SeededRuns.run(200, random -> {
            int rows = 2 + random.nextInt(4);
            double[][] uses = new double[rows][3];
            double[] limits = new double[rows];
            for (int row = 0; row < rows; row++) {
                limits[row] = random.nextInt(20);
                for (int column = 0; column < 3; column++) {
                    uses[row][column] = random.nextInt(4);
                }
            }
            Arrays.fill(uses[0], 1 + random.nextInt(2));
            double[] x = TreePackingProgram.maximise(uses, limits, 3, TreePackingProgram.MOST_WORK);
            assertFits(uses, limits, x);
            assertThat(Arrays.stream(x).sum()).isCloseTo(bestCorner(uses, limits), within(1e-7));
        });
    }

    @Test
    void ratesInBytesAreAsGoodAsRatesInMegabytes() {
        SeededRandom random = new SeededRandom(3);
        double[][] uses = new double[6][6];
        double[] limits = new double[6];
        for (int row = 0; row < 6; row++) {
            limits[row] = 1e6 * (1 + random.nextInt(100));
            for (int column = 0; column < 6; column++) {
                uses[row][column] = row == column ? 1 : random.nextInt(2);
            }
        }
        assertFits(uses, limits, TreePackingProgram.maximise(uses, limits, 6, TreePackingProgram.MOST_WORK));
    }

    private static void assertFits(double[][] uses, double[] limits, double[] x) {
        assertThat(Arrays.stream(x)).allMatch(value -> value >= 0);
        for (int row = 0; row < limits.length; row++) {
            double used = 0;
            for (int column = 0; column < x.length; column++) {
                used += uses[row][column] * x[column];
            }
            assertThat(used).isLessThanOrEqualTo(limits[row] * (1 + 1e-9) + 1e-9);
        }
    }

    private static double bestCorner(double[][] uses, double[] limits) {
        int rows = limits.length;
        double[][] planes = Arrays.copyOf(uses, rows + 3);
        double[] values = Arrays.copyOf(limits, rows + 3);
        for (int i = 0; i < 3; i++) {
            planes[rows + i] = new double[3];
            planes[rows + i][i] = 1;
        }
        double best = 0;
        for (int a = 0; a < planes.length; a++) {
            for (int b = a + 1; b < planes.length; b++) {
                for (int c = b + 1; c < planes.length; c++) {
                    best = Math.max(best, corner(planes, values, new int[] {a, b, c}, uses, limits));
                }
            }
        }
        return best;
    }

    private static double corner(double[][] planes, double[] values, int[] chosen, double[][] uses, double[] limits) {
        double[][] matrix = new double[3][];
        double[] right = new double[3];
        for (int i = 0; i < 3; i++) {
            matrix[i] = planes[chosen[i]];
            right[i] = values[chosen[i]];
        }
        double whole = determinant(matrix);
        if (Math.abs(whole) < 1e-9) {
            return 0;
        }
        double sum = 0;
        double[] x = new double[3];
        for (int i = 0; i < 3; i++) {
            double[][] replaced = new double[3][];
            for (int row = 0; row < 3; row++) {
                replaced[row] = matrix[row].clone();
                replaced[row][i] = right[row];
            }
            x[i] = determinant(replaced) / whole;
            sum += x[i];
            if (x[i] < -1e-9) {
                return 0;
            }
        }
        for (int row = 0; row < limits.length; row++) {
            if (uses[row][0] * x[0] + uses[row][1] * x[1] + uses[row][2] * x[2] > limits[row] + 1e-9) {
                return 0;
            }
        }
        return sum;
    }

    private static double determinant(double[][] m) {
        return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1])
                - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
                + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    }
}
