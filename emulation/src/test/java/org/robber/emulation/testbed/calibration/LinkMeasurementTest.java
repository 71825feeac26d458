package org.robber.emulation.testbed.calibration;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.robber.emulation.scenario.ClusterPair;

/** What a calibration lets pass. */
class LinkMeasurementTest {

    private static final ClusterPair PAIR = new ClusterPair(0, 1);
    private static final long MILLI = 1_000_000;

    @Test
    void ratesMayBeOffByThreePercent() {
        assertThat(rate(10e6).isRateRight()).isTrue();
        assertThat(rate(9.71e6).isRateRight()).isTrue();
        assertThat(rate(10.29e6).isRateRight()).isTrue();
        assertThat(rate(9.69e6).isRateRight()).isFalse();
        assertThat(rate(10.31e6).isRateRight()).isFalse();
        assertThat(rate(0).isRateRight()).isFalse();
    }

    @Test
    void roundTripsMayBeOffByThreePercentOrWhatNoMachineIsWithout() {
        assertThat(roundTrip(100, 102.9).isRoundTripRight()).isTrue();
        assertThat(roundTrip(100, 103.1).isRoundTripRight()).isFalse();
        assertThat(roundTrip(100, 96.9).isRoundTripRight()).isFalse();
        assertThat(roundTrip(2, 2.59).isRoundTripRight()).isTrue();
        assertThat(roundTrip(2, 2.61).isRoundTripRight()).isFalse();
    }

    @Test
    void whatHasNoLimitIsNotMeasured() {
        LinkMeasurement measured = new LinkMeasurement(PAIR, Double.POSITIVE_INFINITY, 0, 20 * MILLI, 20 * MILLI);
        assertThat(measured.isRateRight()).isTrue();
        assertThat(measured.rateError()).isZero();
    }

    @Test
    void aLinkIsNamedWithWhatWasWantedAndWhatWasGot() {
        assertThat(rate(4.9e6).text("A-B")).isEqualTo("A-B: 4.900 MB/s of 10.000, round trip 20.00 ms of 20.00");
    }

    private static LinkMeasurement rate(double gotBytesPerSecond) {
        return new LinkMeasurement(PAIR, 10e6, gotBytesPerSecond, 20 * MILLI, 20 * MILLI);
    }

    private static LinkMeasurement roundTrip(double wantedMillis, double gotMillis) {
        return new LinkMeasurement(PAIR, 10e6, 10e6, (long) (wantedMillis * MILLI), (long) (gotMillis * MILLI));
    }
}
