package org.robber.emulation.scenario;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.robber.emulation.json.JsonPlace;

/** Units of the file and of the program, converted in decimals so that nothing is lost on the way there and back. */
final class Units {
    /** The highest rate in a file; 10^15 bytes per second is beyond any network. */
    static final double MOST_MBPS = 1e9;

    static final double MOST_DELAY_MILLIS = 1e7;
    static final double MOST_SECONDS = 1e9;

    /** One packet of a million arrives. Links on which nothing arrives have the rate 0. */
    static final double MOST_LOSS = 0.999999;

    static final String RATE = "a rate in MB/s from 0 to 1e9, or null for unlimited";
    static final String DELAY = "a one-way delay in milliseconds from 0 to 1e7";
    static final String LOSS = "a share of packets from 0 to 0.999999; a link that passes nothing has mbps 0";

    private static final int MEGA = 6;
    private static final int NANOS_PER_MILLI = 6;
    private static final int NANOS_PER_SECOND = 9;

    private Units() {}

    /** A rate in bytes per second; infinite if there is none in the file. */
    static double rate(JsonPlace place) {
        return place.isAbsent()
                ? Double.POSITIVE_INFINITY
                : place.number(RATE, 0, MOST_MBPS).movePointRight(MEGA).doubleValue();
    }

    static long delayNanos(JsonPlace place) {
        return nanos(place.number(DELAY, 0, MOST_DELAY_MILLIS), NANOS_PER_MILLI);
    }

    static long nanosOfSeconds(BigDecimal seconds) {
        return nanos(seconds, NANOS_PER_SECOND);
    }

    static double loss(JsonPlace place) {
        return place.number(LOSS, 0, MOST_LOSS).doubleValue();
    }

    static BigDecimal mbps(double bytesPerSecond) {
        return tidy(BigDecimal.valueOf(bytesPerSecond).movePointLeft(MEGA));
    }

    static BigDecimal millis(long nanos) {
        return tidy(BigDecimal.valueOf(nanos, NANOS_PER_MILLI));
    }

    static BigDecimal seconds(long nanos) {
        return tidy(BigDecimal.valueOf(nanos, NANOS_PER_SECOND));
    }

    private static long nanos(BigDecimal value, int digits) {
        return value.movePointRight(digits).setScale(0, RoundingMode.HALF_EVEN).longValueExact();
    }

    private static BigDecimal tidy(BigDecimal value) {
        BigDecimal stripped = value.stripTrailingZeros();
        return stripped.scale() < 0 ? stripped.setScale(0, RoundingMode.UNNECESSARY) : stripped;
    }
}
