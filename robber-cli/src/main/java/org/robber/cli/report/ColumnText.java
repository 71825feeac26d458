package org.robber.cli.report;

import java.util.List;
import java.util.stream.IntStream;

/** A table for people. */
public final class ColumnText {

    private ColumnText() {}

    /**
     * Lines without trailing blanks, each ended by a line break.
     *
     * @param rows of one length, with the heads first
     * @param wordColumns how many columns from the left hold words; the rest are figures
     */
    public static String of(List<List<String>> rows, int wordColumns) {
        int[] widths = IntStream.range(0, rows.get(0).size())
                .map(column -> rows.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < widths.length; column++) {
                String cell = row.get(column);
                String blanks = " ".repeat(widths[column] - cell.length());
                line.append(column == 0 ? "" : "  ").append(column < wordColumns ? cell + blanks : blanks + cell);
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
