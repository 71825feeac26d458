package org.robber.transport.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AwakeClockTest {
    private final AtomicLong nanos = new AtomicLong(-7);
    private final AwakeClock clock = new AwakeClock(nanos::get, Duration.ofSeconds(2));

    @Test
    void goesAsItsClockDoesWhileItIsRead() {
        for (int second = 1; second <= 100; second++) {
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
            assertThat(clock.getAsLong()).isEqualTo(TimeUnit.SECONDS.toNanos(second));
        }
    }

    @Test
    void standsStillWhileNobodyReadsIt() {
        nanos.addAndGet(TimeUnit.HOURS.toNanos(3));
        assertThat(clock.getAsLong()).isEqualTo(TimeUnit.SECONDS.toNanos(2));
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
        assertThat(clock.getAsLong()).isEqualTo(TimeUnit.SECONDS.toNanos(3));
    }
}
