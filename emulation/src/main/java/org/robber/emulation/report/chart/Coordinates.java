package org.robber.emulation.report.chart;

/** Places on the paper: one digit after the point is finer than any screen, and short in a file with many lines. */
final class Coordinates {

    private Coordinates() {}

    static String text(double value) {
        long tenths = Math.round(value * 10);
        return tenths % 10 == 0 ? Long.toString(tenths / 10) : withPoint(tenths);
    }

    private static String withPoint(long tenths) {
        long size = Math.abs(tenths);
        return (tenths < 0 ? "-" : "") + size / 10 + "." + size % 10;
    }
}
