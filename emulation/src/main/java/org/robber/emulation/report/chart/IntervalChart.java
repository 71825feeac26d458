package org.robber.emulation.report.chart;

import com.google.common.collect.ImmutableList;

/**
 * Bars that lie one below the other, each with the interval that its value is in, and a mark at a published value.
 *
 * @param title what it shows
 * @param label what the length of a bar means, with its unit
 * @param bars from above
 */
public record IntervalChart(String title, String label, ImmutableList<Bar> bars) {

    private static final double BAR = 16;
    private static final double CAP = 4;
    private static final int MOST_TICKS = 6;
    private static final int MOST_NAME_CHARACTERS = 20;
    private static final String MARK_STYLE = "mark";

    /**
     * One bar.
     *
     * @param name stands beside it
     * @param style class of the style sheet
     * @param value 0 or more; NaN if it is not known: there is no bar then
     * @param halfWidth half the width of the interval around it; NaN for none
     * @param mark a published value to compare with; NaN for none
     */
    public record Bar(String name, String style, double value, double halfWidth, double mark) {
        private double end() {
            return Math.max(known(value) + known(halfWidth), known(mark));
        }

        private static double known(double number) {
            return Double.isNaN(number) ? 0 : number;
        }
    }

    /** Writes the chart. */
    public void write(Markup out) {
        Axis x = Axis.roundedUp(bars.stream().mapToDouble(Bar::end).max().orElse(0), MOST_TICKS);
        BarRows rows = new BarRows(
                bars.stream().map(Bar::name).collect(ImmutableList.toImmutableList()), BAR, MOST_NAME_CHARACTERS);
        boolean marked = bars.stream().anyMatch(bar -> !Double.isNaN(bar.mark()));
        ImmutableList<String> legend = marked ? ImmutableList.of("published") : ImmutableList.of();
        Frame frame = rows.frame(legend.size(), x);
        frame.open(out, title);
        frame.legend(out, legend, marked ? ImmutableList.of(MARK_STYLE) : ImmutableList.of(), false);
        frame.xAxis(out, x, label, true);
        rows.write(out, frame, (row, top) -> write(out, frame, x, bars.get(row), top));
        out.closeLine();
    }

    private static void write(Markup out, Frame frame, Axis x, Bar bar, double y) {
        if (bar.value() > 0) {
            Frame.rect(out, frame.left(), y, frame.x(x, bar.value()) - frame.left(), BAR, bar.style());
        }
        double middle = y + BAR / 2;
        if (bar.halfWidth() > 0) {
            double from = frame.x(x, bar.value() - bar.halfWidth());
            double to = frame.x(x, bar.value() + bar.halfWidth());
            Frame.line(out, from, middle, to, middle, "whisker");
            Frame.line(out, from, middle - CAP, from, middle + CAP, "whisker");
            Frame.line(out, to, middle - CAP, to, middle + CAP, "whisker");
        }
        if (!Double.isNaN(bar.mark())) {
            double at = frame.x(x, bar.mark());
            Frame.line(out, at, y - 2, at, y + BAR + 2, MARK_STYLE);
        }
    }
}
