package org.robber.emulation.report.chart;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.primitives.ImmutableDoubleArray;

/**
 * A line of a chart.
 *
 * @param name for the legend; empty for none: lines of a kind need one entry together
 * @param style classes of the style sheet
 * @param xs where the points are, never decreasing
 * @param ys as many values; NaN leaves a gap
 */
public record Series(String name, String style, ImmutableDoubleArray xs, ImmutableDoubleArray ys) {
    public Series {
        checkArgument(xs.length() == ys.length(), "%s places for %s values", xs.length(), ys.length());
    }

    double largestX() {
        return xs.stream().max().orElse(0);
    }

    double largestY() {
        return ys.stream().filter(y -> !Double.isNaN(y)).max().orElse(0);
    }
}
