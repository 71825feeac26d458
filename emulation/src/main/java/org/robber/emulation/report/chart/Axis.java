package org.robber.emulation.report.chart;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.primitives.ImmutableDoubleArray;
import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * Numbers from zero along one side of a chart.
 *
 * @param end where the axis ends, above zero
 * @param ticks round numbers that are labelled, from zero on; the last is at the end, or before it
 * @param decimals how many digits after the point tell the ticks apart
 */
public record Axis(double end, ImmutableDoubleArray ticks, int decimals) {

    /** An axis that ends at a tick: the first that is not below the largest value. */
    public static Axis roundedUp(double largest, int mostTicks) {
        double value = sensible(largest);
        int exponent = exponentOfStep(value, mostTicks);
        double step = step(value, exponent, mostTicks);
        long steps = Math.max(1, (long) Math.ceil(value / step - 1e-9));
        return of(steps * step, step, steps, exponent);
    }

    /** An axis that ends at the largest value, wherever that is. */
    public static Axis upTo(double largest, int mostTicks) {
        double value = sensible(largest);
        int exponent = exponentOfStep(value, mostTicks);
        double step = step(value, exponent, mostTicks);
        return of(value, step, (long) Math.floor(value / step + 1e-9), exponent);
    }

    /** The number at a tick, with as many decimals as all of them need. */
    public String label(double tick) {
        return BigDecimal.valueOf(tick)
                .setScale(decimals, RoundingMode.HALF_EVEN)
                .toPlainString();
    }

    /** The longest label, in characters. */
    int longestLabel() {
        return ticks.stream().mapToInt(tick -> label(tick).length()).max().orElse(1);
    }

    private static Axis of(double end, double step, long steps, int exponent) {
        ImmutableDoubleArray.Builder ticks = ImmutableDoubleArray.builder();
        for (long i = 0; i <= steps; i++) {
            ticks.add(i * step);
        }
        return new Axis(end, ticks.build(), Math.max(0, -exponent));
    }

    private static double sensible(double largest) {
        return largest > 0 && largest < Double.MAX_VALUE ? largest : 1;
    }

    /** The power of ten below the step. */
    private static int exponentOfStep(double value, int mostTicks) {
        checkArgument(mostTicks >= 2, "mostTicks: %s", mostTicks);
        int exponent = (int) Math.floor(Math.log10(value / (mostTicks - 1)));
        return factor(value, exponent, mostTicks) == 10 ? exponent + 1 : exponent;
    }

    private static double step(double value, int exponent, int mostTicks) {
        // of powers of ten only those of whole exponents are exact
        int factor = factor(value, exponent, mostTicks);
        return exponent >= 0 ? factor * Math.pow(10, exponent) : factor / Math.pow(10, -exponent);
    }

    /** 1, 2 or 5, the first that gives few enough ticks; 10 if none does. */
    private static int factor(double value, int exponent, int mostTicks) {
        double unit = Math.pow(10, exponent);
        for (int factor : new int[] {1, 2, 5}) {
            if (value / (factor * unit) <= mostTicks - 1 + 1e-9) {
                return factor;
            }
        }
        return 10;
    }
}
