package org.robber.emulation.testbed.calibration;

import java.util.Locale;
import org.robber.emulation.scenario.ClusterPair;

/**
 * Measured values of one direction between two clusters, beside those of the scenario.
 *
 * @param pair the direction
 * @param wantedBytesPerSecond rate that the link, the access links and the cards of the nodes allow
 * @param gotBytesPerSecond measured rate, headers included
 * @param wantedRoundTripNanos delay there and back
 * @param gotRoundTripNanos shortest round trip of a few bytes, with nothing else on the way
 */
public record LinkMeasurement(
        ClusterPair pair,
        double wantedBytesPerSecond,
        double gotBytesPerSecond,
        long wantedRoundTripNanos,
        long gotRoundTripNanos) {

    /** Tolerance of measured rates and round trips. */
    public static final double TOLERANCE = 0.03;

    /** Tolerance of round trips in any case: every machine needs some time. */
    private static final long SLACK_NANOS = 600_000;

    /** How far the rate is off, as a share of the wanted one. 0 if that has no limit: then none is measured. */
    public double rateError() {
        return Double.isInfinite(wantedBytesPerSecond) ? 0 : Math.abs(gotBytesPerSecond / wantedBytesPerSecond - 1);
    }

    /** Whether the rate is as wanted. */
    public boolean isRateRight() {
        return rateError() <= TOLERANCE;
    }

    /** Whether the round trip is as wanted. */
    public boolean isRoundTripRight() {
        double tolerance = Math.max(SLACK_NANOS, TOLERANCE * wantedRoundTripNanos);
        return Math.abs(gotRoundTripNanos - wantedRoundTripNanos) <= tolerance;
    }

    /** Both, in words, with the name of the link. */
    public String text(String link) {
        return String.format(
                Locale.ROOT,
                "%s: %.3f MB/s of %.3f, round trip %.2f ms of %.2f",
                link,
                gotBytesPerSecond / 1e6,
                wantedBytesPerSecond / 1e6,
                gotRoundTripNanos / 1e6,
                wantedRoundTripNanos / 1e6);
    }
}
