package org.robber.emulation.testbed.wan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QueueLimitsTest {

    private static final long MILLISECOND = 1_000_000;

    @Test
    void slowLinksHoldSixtyFourPackets() {
        assertThat(QueueLimits.bytes(0.8e6, 10 * MILLISECOND, 9000)).isEqualTo(576_000);
        assertThat(QueueLimits.bytes(0, 10 * MILLISECOND, 9000)).isEqualTo(576_000);
    }

    @Test
    void fastLinksHoldFiftyMilliseconds() {
        assertThat(QueueLimits.bytes(100e6, 10 * MILLISECOND, 9000)).isEqualTo(5_000_000);
    }

    @Test
    void longLinksHoldARoundTrip() {
        assertThat(QueueLimits.bytes(100e6, 100 * MILLISECOND, 9000)).isEqualTo(20_000_000);
    }

    @Test
    void unlimitedLinksNeedNoLimit() {
        assertThat(QueueLimits.bytes(Double.POSITIVE_INFINITY, 0, 9000)).isEqualTo(Long.MAX_VALUE);
    }
}
