package org.robber.emulation.report.chart;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableDoubleArray;

/**
 * Lines over time, from zero.
 *
 * @param title what it shows
 * @param yLabel what the lines show, with its unit
 * @param lines from the back to the front
 */
public record LineChart(String title, String yLabel, ImmutableList<Series> lines) {

    private static final double WIDTH = 400;
    private static final double DATA_HEIGHT = 130;
    private static final int MOST_TICKS_ACROSS = 8;
    private static final int MOST_TICKS_UP = 6;

    /** Writes the chart. */
    public void write(Markup out) {
        Axis x = Axis.upTo(lines.stream().mapToDouble(Series::largestX).max().orElse(0), MOST_TICKS_ACROSS);
        Axis y = Axis.roundedUp(
                lines.stream().mapToDouble(Series::largestY).max().orElse(0), MOST_TICKS_UP);
        ImmutableList<Series> named =
                lines.stream().filter(line -> !line.name().isEmpty()).collect(ImmutableList.toImmutableList());
        ImmutableList<String> names = named.stream().map(Series::name).collect(ImmutableList.toImmutableList());
        ImmutableList<String> styles = named.stream().map(Series::style).collect(ImmutableList.toImmutableList());
        double digit = TextSize.width("0");
        int legendRows = TextSize.legendRows(names, WIDTH).size();
        // the unit of the axis upwards stands in the title: turned text is hard to read
        Frame frame =
                Frame.around(WIDTH, DATA_HEIGHT, legendRows, y.longestLabel() * digit, x.longestLabel() * digit / 2);
        frame.open(out, title + ", " + yLabel);
        frame.legend(out, names, styles, false);
        frame.yAxis(out, y);
        frame.xAxis(out, x, "time, s", false);
        for (Series line : lines) {
            String path = path(frame, x, y, line);
            if (!path.isEmpty()) {
                out.empty("path", "d", path, "class", line.style());
            }
        }
        out.closeLine();
    }

    private static String path(Frame frame, Axis x, Axis y, Series line) {
        ImmutableDoubleArray xs = line.xs();
        ImmutableDoubleArray ys = line.ys();
        StringBuilder path = new StringBuilder();
        boolean pen = false;
        for (int i = 0; i < xs.length(); i++) {
            if (Double.isNaN(ys.get(i))) {
                pen = false;
                continue;
            }
            path.append(pen ? 'L' : 'M')
                    .append(Frame.coordinate(frame.x(x, xs.get(i))))
                    .append(' ')
                    .append(Frame.coordinate(frame.y(y, ys.get(i))));
            pen = true;
        }
        return path.toString();
    }
}
