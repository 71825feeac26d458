package org.robber.emulation.report.chart;

import com.google.common.collect.ImmutableList;

/** The rows of a chart whose bars lie one below the other, with their names on the left. */
final class BarRows {
    static final double WIDTH = 400;
    private static final double GAP = 6;

    private final ImmutableList<String> names;
    private final double barHeight;
    private final double namesWidth;

    /**
     * Rows from above.
     *
     * @param mostNameCharacters longer names are cut
     */
    BarRows(ImmutableList<String> names, double barHeight, int mostNameCharacters) {
        this.names = names;
        this.barHeight = barHeight;
        int longest = names.stream().mapToInt(String::length).max().orElse(0);
        this.namesWidth = Math.min(mostNameCharacters, longest) * TextSize.width("0");
    }

    /** Writes the bar of a row. */
    @FunctionalInterface
    interface BarWriter {
        void write(int row, double top);
    }

    /** The frame around all rows. */
    Frame frame(int legendRows, Axis x) {
        return Frame.around(
                WIDTH,
                names.size() * (barHeight + GAP) + GAP,
                legendRows,
                namesWidth,
                x.longestLabel() * TextSize.width("0") / 2);
    }

    /** Writes the names and the bars. */
    void write(Markup out, Frame frame, BarWriter bar) {
        double top = frame.top() + GAP;
        for (int row = 0; row < names.size(); row++) {
            frame.text(
                    out,
                    TextSize.fitted(names.get(row), namesWidth + 1),
                    frame.left() - 8,
                    top + barHeight / 2 + 4,
                    "end",
                    "tick");
            bar.write(row, top);
            top += barHeight + GAP;
        }
    }
}
