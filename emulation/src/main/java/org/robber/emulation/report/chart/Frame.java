package org.robber.emulation.report.chart;

import com.google.common.collect.ImmutableList;
import java.util.List;

/**
 * The part of a chart around the data: title, legend, axes, and where a value is on the paper.
 *
 * @param width of the whole chart, in units of its view box
 * @param height of the whole chart
 * @param left where the data begin
 * @param top where the data begin
 * @param right where the data end
 * @param bottom where the data end
 */
record Frame(double width, double height, double left, double top, double right, double bottom) {

    private static final double MARGIN = 6;
    private static final double LINE = 16;
    private static final double TICK = 4;

    /** Room for a title, this many rows of legend, an axis below, and labels of this width on the left. */
    static Frame around(double width, double dataHeight, int legendRows, double labelsLeft, double labelRight) {
        double top = MARGIN + LINE * (1 + legendRows) + TICK;
        double bottom = top + dataHeight;
        double left = MARGIN + labelsLeft + 2 * TICK;
        double right = width - MARGIN - labelRight;
        return new Frame(width, bottom + 2 * LINE + MARGIN, left, top, right, bottom);
    }

    double x(Axis axis, double value) {
        return left + (right - left) * Math.min(1, Math.max(0, value / axis.end()));
    }

    double y(Axis axis, double value) {
        return bottom - (bottom - top) * Math.min(1, Math.max(0, value / axis.end()));
    }

    /** Begins the picture; the caller ends it. */
    void open(Markup out, String title) {
        out.open("svg", "viewBox", "0 0 " + coordinate(width) + " " + coordinate(height), "role", "img");
        out.leaf("title", title);
        text(out, TextSize.fitted(title, width - 2 * MARGIN), MARGIN, MARGIN + TextSize.FONT, "start", "name");
    }

    void text(Markup out, String content, double x, double y, String anchor, String style) {
        out.leaf("text", content, "x", coordinate(x), "y", coordinate(y), "text-anchor", anchor, "class", style);
    }

    /** The marks and names of a legend; {@code area} for filled marks, lines otherwise. */
    void legend(Markup out, List<String> names, List<String> styles, boolean area) {
        double y = MARGIN + LINE + TextSize.FONT;
        for (ImmutableList<Integer> row : TextSize.legendRows(names, width - 2 * MARGIN)) {
            double x = MARGIN;
            for (int i : row) {
                String style = styles.get(i);
                if (area) {
                    rect(out, x, y - TextSize.FONT + 2, 16, TextSize.FONT - 2, style);
                } else {
                    line(out, x, y - 4, x + 16, y - 4, style);
                }
                text(out, TextSize.fitted(names.get(i), width - 2 * MARGIN - 22), x + 22, y, "start", "legend");
                x += TextSize.legendEntryWidth(names.get(i));
            }
            y += LINE;
        }
    }

    void xAxis(Markup out, Axis axis, String label, boolean grid) {
        axis.ticks().forEach(tick -> {
            double x = x(axis, tick);
            line(out, x, grid ? top : bottom, x, bottom + TICK, grid ? "grid" : "axis");
            text(out, axis.label(tick), x, bottom + TICK + TextSize.FONT, "middle", "tick");
        });
        line(out, left, bottom, right, bottom, "axis");
        double middle = (left + right) / 2;
        double y = bottom + TICK + TextSize.FONT + LINE - 2;
        text(out, TextSize.fitted(label, right - left), middle, y, "middle", "label");
    }

    void yAxis(Markup out, Axis axis) {
        axis.ticks().forEach(tick -> {
            double y = y(axis, tick);
            line(out, left - TICK, y, right, y, "grid");
            text(out, axis.label(tick), left - 2 * TICK, y + 4, "end", "tick");
        });
        line(out, left, top, left, bottom, "axis");
    }

    static void rect(Markup out, double x, double y, double width, double height, String style) {
        out.empty(
                "rect",
                "x",
                coordinate(x),
                "y",
                coordinate(y),
                "width",
                coordinate(width),
                "height",
                coordinate(height),
                "class",
                style);
    }

    static void line(Markup out, double x1, double y1, double x2, double y2, String style) {
        out.empty(
                "line",
                "x1",
                coordinate(x1),
                "y1",
                coordinate(y1),
                "x2",
                coordinate(x2),
                "y2",
                coordinate(y2),
                "class",
                style);
    }

    /** A place on the paper: one digit after the point is finer than any screen, and short in a file with many lines. */
    static String coordinate(double value) {
        long tenths = Math.round(value * 10);
        long size = Math.abs(tenths);
        return (tenths < 0 ? "-" : "") + size / 10 + (size % 10 == 0 ? "" : "." + size % 10);
    }
}
