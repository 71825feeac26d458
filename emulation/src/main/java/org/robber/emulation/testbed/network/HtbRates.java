package org.robber.emulation.testbed.network;

import java.util.Locale;

/** Rates and bursts of a class, in the words of HTB. */
public final class HtbRates {
    /** More than any machine carries; HTB has no word for no limit. */
    public static final double UNLIMITED = 4e9;

    private static final double BURST_SECONDS = 0.002;
    private static final long SMALLEST_BURST_BYTES = 2 * (AddressPlan.MTU + 14L);

    private HtbRates() {}

    /**
     * The parameters of a class, in bytes per second.
     *
     * @param rate that the class always has
     * @param ceiling that it may have if others leave it
     */
    public static String text(double rate, double ceiling) {
        return String.format(
                Locale.ROOT,
                "rate %d ceil %d burst %d cburst %d quantum 18028",
                bits(rate),
                bits(ceiling),
                burst(rate),
                burst(ceiling));
    }

    /** Rate as tc takes it without a unit: bits per second. */
    private static long bits(double bytesPerSecond) {
        return Math.max(8, Math.round(bytesPerSecond * 8));
    }

    private static long burst(double bytesPerSecond) {
        return Math.max(SMALLEST_BURST_BYTES, Math.round(bytesPerSecond * BURST_SECONDS));
    }
}
