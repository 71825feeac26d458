package org.robber.emulation.report.chart;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableDoubleArray;

/**
 * Bars that lie one below the other, each made of parts that lie end to end.
 *
 * @param title what it shows
 * @param label what the length of a bar means, with its unit
 * @param parts the names of the parts, for the legend
 * @param styles classes of the style sheet, one for each part
 * @param bars from above
 * @param mark a length that is marked in all of them; NaN for none
 */
public record BarChart(
        String title,
        String label,
        ImmutableList<String> parts,
        ImmutableList<String> styles,
        ImmutableList<Bar> bars,
        double mark) {

    private static final double BAR = 18;
    private static final int MOST_TICKS = 6;
    private static final int MOST_NAME_CHARACTERS = 14;

    public BarChart {
        checkArgument(parts.size() == styles.size(), "%s parts, %s styles", parts.size(), styles.size());
    }

    /**
     * One bar.
     *
     * @param name stands beside it
     * @param lengths one for each part, 0 or more
     */
    public record Bar(String name, ImmutableDoubleArray lengths) {
        double length() {
            return lengths.stream().sum();
        }
    }

    /** Writes the chart. */
    public void write(Markup out) {
        Axis x = Axis.roundedUp(
                Math.max(
                        Double.isNaN(mark) ? 0 : mark,
                        bars.stream().mapToDouble(Bar::length).max().orElse(0)),
                MOST_TICKS);
        BarRows rows = new BarRows(
                bars.stream().map(Bar::name).collect(ImmutableList.toImmutableList()), BAR, MOST_NAME_CHARACTERS);
        Frame frame = rows.frame(TextSize.legendRows(parts, BarRows.WIDTH).size(), x);
        frame.open(out, title);
        frame.legend(out, parts, styles, true);
        frame.xAxis(out, x, label, true);
        rows.write(out, frame, (row, top) -> writeParts(out, frame, x, bars.get(row), top));
        if (!Double.isNaN(mark)) {
            double markAt = frame.x(x, mark);
            Frame.line(out, markAt, frame.top(), markAt, frame.bottom(), "mark");
        }
        out.closeLine();
    }

    private void writeParts(Markup out, Frame frame, Axis x, Bar bar, double y) {
        double begin = 0;
        for (int part = 0; part < parts.size(); part++) {
            double length = bar.lengths().get(part);
            double from = frame.x(x, begin);
            double to = frame.x(x, begin + length);
            if (length > 0) {
                Frame.rect(out, from, y, to - from, BAR, styles.get(part));
                // Not every printer and eye can tell colours apart, so large parts have their names in them.
                if (TextSize.width(parts.get(part)) + 4 < to - from) {
                    frame.text(out, parts.get(part), (from + to) / 2, y + BAR / 2 + 4, "middle", "inside");
                }
            }
            begin += length;
        }
    }
}
