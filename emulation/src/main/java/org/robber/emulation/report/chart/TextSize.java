package org.robber.emulation.report.chart;

import com.google.common.collect.ImmutableList;
import java.util.List;

/** How much room text needs, without knowing the font: as wide as in the widest of the common ones. */
public final class TextSize {

    /** Size of the letters in charts, in units of the view box; the style sheet says the same. */
    public static final double FONT = 11;

    private static final double WIDEST_CHARACTER = 0.66;
    private static final double SWATCH = 22;
    private static final double GAP = 14;

    private TextSize() {}

    /** Width of a text in units of the view box: an upper bound for words and numbers in Latin letters. */
    public static double width(String text) {
        return text.codePointCount(0, text.length()) * FONT * WIDEST_CHARACTER;
    }

    /** The text, cut if it is wider. */
    static String fitted(String text, double width) {
        int most = Math.max(1, (int) (width / (FONT * WIDEST_CHARACTER)));
        int points = text.codePointCount(0, text.length());
        return points <= most ? text : text.substring(0, text.offsetByCodePoints(0, most - 1)) + "\u2026";
    }

    /** The entries of a legend in rows that are no wider than this, each an index into the names. */
    static ImmutableList<ImmutableList<Integer>> legendRows(List<String> names, double width) {
        ImmutableList.Builder<ImmutableList<Integer>> rows = ImmutableList.builder();
        ImmutableList.Builder<Integer> row = ImmutableList.builder();
        double used = 0;
        for (int i = 0; i < names.size(); i++) {
            double needed = legendEntryWidth(names.get(i));
            if (used > 0 && used + needed > width) {
                rows.add(row.build());
                row = ImmutableList.builder();
                used = 0;
            }
            row.add(i);
            used += needed;
        }
        if (used > 0) {
            rows.add(row.build());
        }
        return rows.build();
    }

    /** Room for the mark, the name, and what separates it from the next. */
    static double legendEntryWidth(String name) {
        return SWATCH + width(name) + GAP;
    }
}
