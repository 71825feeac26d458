package org.robber.cli.doctor;

import java.time.Duration;
import java.util.Locale;

/**
 * A line between clusters that a transfer should fill.
 *
 * @param bytesPerSecond its bandwidth, at least 1
 * @param roundTrip above zero
 */
public record Line(long bytesPerSecond, Duration roundTrip) {

    /** More than any line holds, and little enough to be doubled. */
    private static final double MOST_BYTES = 1e18;

    /** What is on the way when the line is full: the bandwidth-delay product. */
    long bytesOnTheWay() {
        return (long) Math.min(MOST_BYTES, bytesPerSecond * seconds());
    }

    /** Bytes per second of a connection that has at most so much on the way. */
    double rateOf(long windowBytes) {
        return windowBytes / seconds();
    }

    double seconds() {
        return roundTrip.toNanos() / 1e9;
    }

    /** Such as {@code 1 Gbit/s and 20 ms}. */
    String text() {
        String millis = String.format(Locale.ROOT, "%.1f", roundTrip.toNanos() / 1e6);
        return bandwidth() + " and " + millis.replaceFirst("\\.0$", "") + " ms";
    }

    /** Such as {@code 1 Gbit/s}. */
    String bandwidth() {
        return bits((double) bytesPerSecond);
    }

    /** A rate in decimal bits, with three digits at most: {@code 1.2 Gbit/s}. */
    static String bits(double bytesPerSecond) {
        String[] units = {"bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"};
        double value = bytesPerSecond * 8;
        int unit = 0;
        while (value >= 999.5 && unit < units.length - 1) {
            value /= 1000;
            unit++;
        }
        String number = String.format(Locale.ROOT, value < 9.95 ? "%.1f" : "%.0f", value);
        return number.replaceFirst("\\.0$", "") + " " + units[unit];
    }
}
