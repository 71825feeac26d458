package org.robber.emulation.report;

import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/** Rows of CSV: quoted as in RFC 4180; lines end with a line feed. */
final class CsvText {

    private CsvText() {}

    /** A figure; empty if unknown or infinite. */
    static String number(double value) {
        return Double.isNaN(value) || Double.isInfinite(value) ? "" : String.format(Locale.ROOT, "%.6f", value);
    }

    static void append(StringBuilder text, List<String> row) {
        StringJoiner line = new StringJoiner(",");
        row.forEach(value -> line.add(quoted(value)));
        text.append(line).append('\n');
    }

    private static String quoted(String value) {
        boolean plain = value.chars().noneMatch(c -> c == '"' || c == ',' || c == '\n' || c == '\r');
        return plain ? value : '"' + value.replace("\"", "\"\"") + '"';
    }
}
