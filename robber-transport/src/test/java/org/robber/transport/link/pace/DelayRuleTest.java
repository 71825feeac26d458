package org.robber.transport.link.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.robber.transport.sockets.TcpInfo;

/** A line of 10 MB/s with a round trip of 100 ms, as packets of 1,000 bytes see it. */
class DelayRuleTest {
    private static final double LINE = 10e6;
    private static final long IDLE_MICROS = 100_000;
    private static final int SEGMENT = 1000;
    private static final double LEAST = 2 * SEGMENT / 0.1;

    /** HyStart's target at this round trip: an eighth of it. */
    private static final double TARGET_SECONDS = 0.0125;

    private final DelayRule rule = new DelayRule();
    private double queueBytes;
    private long acknowledged;
    private long losses;
    private long nowNanos;
    private long rate;

    /** What arrives a second. */
    private double mine;

    /** One round trip later: what others send, and what the queue cannot hold, matter. */
    private void roundTrip(double othersRate, double mostQueueBytes) {
        double seconds = IDLE_MICROS / 1e6 + queueBytes / LINE;
        double sent = (rate + othersRate) * seconds;
        mine = sent == 0 ? 0 : Math.min(1, LINE * seconds / sent) * rate;
        queueBytes = Math.max(0, queueBytes + sent - LINE * seconds);
        if (queueBytes > mostQueueBytes) {
            queueBytes = mostQueueBytes;
            losses++;
        }
        acknowledged += (long) (mine * seconds);
        nowNanos += (long) (seconds * 1e9);
        rate = rule.bytesPerSecond(info(IDLE_MICROS + (long) (queueBytes / LINE * 1e6)), nowNanos);
    }

    private TcpInfo info(long roundTripMicros) {
        return new TcpInfo(SEGMENT, roundTripMicros, IDLE_MICROS, losses, acknowledged, 0);
    }

    /** Returns what arrives a second, on average. */
    private double roundTrips(int count, double othersRate, double mostQueueBytes) {
        double sum = 0;
        for (int i = 0; i < count; i++) {
            roundTrip(othersRate, mostQueueBytes);
            sum += mine;
        }
        return sum / count;
    }

    @Test
    void itTakesAnIdleLineAndKeepsTheQueueAtTheTarget() {
        roundTrips(40, 0, 10e6);
        assertThat(roundTrips(100, 0, 10e6)).isGreaterThan(0.97 * LINE);
        assertThat(queueBytes / LINE).isBetween(0.2 * TARGET_SECONDS, 2 * TARGET_SECONDS);
        assertThat(losses).isZero();
    }

    @Test
    void itTakesWhatOthersLeave() {
        roundTrips(40, 0.6 * LINE, 10e6);
        assertThat(roundTrips(100, 0.6 * LINE, 10e6)).isCloseTo(0.4 * LINE, within(0.05 * LINE));
    }

    @Test
    void itLeavesTheLineToThoseWhoFillIt() {
        roundTrips(60, 0, 10e6);
        roundTrips(20, LINE, 0.5e6);
        assertThat(roundTrips(20, LINE, 0.5e6)).isLessThan(0.05 * LINE);
        // and comes back
        roundTrips(40, 0, 10e6);
        assertThat(roundTrips(20, 0, 10e6)).isGreaterThan(0.9 * LINE);
    }

    @Test
    void itGoesOnMeasuringAtTheLeastRate() {
        rate = rule.bytesPerSecond(info(IDLE_MICROS), 0);
        assertThat((double) rate).isCloseTo(10 * SEGMENT / 0.1, within(1.0));
        for (int i = 0; i < 100; i++) {
            rate = rule.bytesPerSecond(info(2 * IDLE_MICROS), i);
        }
        assertThat((double) rate).isCloseTo(LEAST / 2, within(1.0));
    }

    @Test
    void aLossHalvesTheRate() {
        roundTrips(60, 0, 10e6);
        queueBytes = 0;
        long before = rate;
        losses++;
        acknowledged += before / 10;
        rate = rule.bytesPerSecond(info(IDLE_MICROS + 12_500), nowNanos + 112_500_000);
        assertThat((double) rate).isBetween(0.4 * before, 0.6 * before);
    }

    @Test
    void aRateThatNothingUsesDoesNotGrow() {
        rate = rule.bytesPerSecond(info(IDLE_MICROS), 0);
        long first = rate;
        for (int i = 1; i < 50; i++) {
            rate = rule.bytesPerSecond(info(IDLE_MICROS), i * 100_000_000L);
        }
        assertThat(rate).isEqualTo(first);
    }

    @Test
    void withoutARoundTripThereIsNoRate() {
        assertThat(rule.bytesPerSecond(new TcpInfo(SEGMENT, 0, 0, 0, 0, 0), 0)).isZero();
    }
}
