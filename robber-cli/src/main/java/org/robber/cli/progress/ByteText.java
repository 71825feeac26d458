package org.robber.cli.progress;

import java.util.Locale;

/** Sizes, rates and times for people, short and of steady width. */
public final class ByteText {

    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};

    private ByteText() {}

    /** Such as {@code 0 B}, {@code 1.5 MiB}, {@code 120 GiB}. */
    public static String bytes(long bytes) {
        return withUnit((double) bytes);
    }

    /** Such as {@code 85.0 MiB/s}. */
    public static String rate(double bytesPerSecond) {
        return withUnit(bytesPerSecond) + "/s";
    }

    private static String withUnit(double bytes) {
        double value = bytes;
        int unit = 0;
        // 999.5 and more would be shown with four digits
        while (value >= 999.5 && unit < UNITS.length - 1) {
            value /= 1024;
            unit++;
        }
        String format = unit == 0 || value >= 99.95 ? "%.0f %s" : "%.1f %s";
        return String.format(Locale.ROOT, format, value, UNITS[unit]);
    }

    /** Such as {@code 0:07}, {@code 2:05} or {@code 1:02:03}. */
    public static String time(long seconds) {
        return seconds < 3600
                ? String.format(Locale.ROOT, "%d:%02d", seconds / 60, seconds % 60)
                : String.format(Locale.ROOT, "%d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60);
    }
}
