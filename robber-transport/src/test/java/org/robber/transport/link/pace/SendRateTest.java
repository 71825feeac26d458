package org.robber.transport.link.pace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.SendLimits;

class SendRateTest {
    private static final long SECOND = 1_000_000_000;

    @Test
    void blocksLeaveNoFasterThanTheLimit() {
        SendRate rate = new SendRates(new SendLimits(1000, 0)).to(true);
        long nowNanos = 77;
        for (int i = 0; i < 100; i++) {
            nowNanos += rate.reserve(50, nowNanos);
        }
        assertThat(nowNanos - 77).isEqualTo(99 * SECOND / 20);
    }

    @Test
    void connectionsShareALimitInTurns() {
        SendRates rates = new SendRates(new SendLimits(1000, 0));
        List<Long> delays = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            delays.add(rates.to(i % 2 == 0).reserve(100, 0));
        }
        assertThat(delays).containsExactly(0L, SECOND / 10, SECOND / 5, 3 * SECOND / 10);
    }

    @Test
    void theLimitForOtherClustersLeavesLocalOnesAlone() {
        SendRates rates = new SendRates(new SendLimits(0, 1000));
        assertThat(rates.to(false).reserve(1000, 0)).isZero();
        assertThat(rates.to(false).reserve(1000, 0)).isEqualTo(SECOND);
        assertThat(rates.to(true).reserve(1 << 30, 0)).isZero();
        assertThat(rates.to(true).reserve(1 << 30, 0)).isZero();
    }

    @Test
    void ofTwoLimitsTheStricterCounts() {
        SendRates rates = new SendRates(new SendLimits(2000, 1000));
        rates.to(false).reserve(1000, 0);
        assertThat(rates.to(false).reserve(1000, 0)).isEqualTo(SECOND);
        assertThat(rates.to(true).reserve(1000, 0)).isEqualTo(SECOND);
    }

    @Test
    void pausesAreNotSavedUp() {
        SendRate rate = new SendRates(new SendLimits(1000, 0)).to(true);
        rate.reserve(1000, 0);
        long later = 100 * SECOND;
        assertThat(rate.reserve(1000, later)).isZero();
        assertThat(rate.reserve(1000, later)).isEqualTo(SECOND - 20_000_000);
    }

    @Test
    void blocksAreSmallWhereTheLimitIs() {
        assertThat(new SendRates(new SendLimits(1_000_000, 0)).to(true).blockBytes(1 << 20))
                .isEqualTo(50_000);
        assertThat(new SendRates(new SendLimits(1, 0)).to(true).blockBytes(1 << 20))
                .isEqualTo(1 << 10);
        assertThat(SendRate.unlimited().blockBytes(1 << 20)).isEqualTo(1 << 20);
    }
}
