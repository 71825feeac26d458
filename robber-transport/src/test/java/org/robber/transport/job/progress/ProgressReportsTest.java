package org.robber.transport.job.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressReportsTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final AtomicLong done = new AtomicLong();
    private final AtomicInteger looks = new AtomicInteger();
    private final List<Long> reported = new ArrayList<>();

    @Test
    void changesAreReportedAtOnce() {
        ScheduledFuture<?> reports = start();
        passMillis(1000);
        assertThat(reported).containsExactly(0L);
        assertThat(looks).hasValueGreaterThanOrEqualTo(3);
        done.set(7);
        passMillis(1000);
        assertThat(reported).containsExactly(0L, 7L);
        reports.cancel(false);
        done.set(8);
        passMillis(1000);

        assertThat(reported).containsExactly(0L, 7L);
    }

    /** Rank 0 may begin later. */
    @Test
    void whatHasNotChangedIsSaidAgainWithinTheStallLimit() {
        start();
        passMillis((int) MINUTE.toMillis());

        assertThat(reported).hasSizeBetween(4, 6).containsOnly(0L);
    }

    private ScheduledFuture<?> start() {
        channel.freezeTime();
        return ProgressReports.start(
                channel.eventLoop(), 1, 4, MINUTE, done::get, reported::add, looks::incrementAndGet);
    }

    @Test
    void allNodesTogetherReportAtMostTwoThousandTimesASecond() {
        assertThat(ProgressReports.periodMillis(1, MINUTE)).isEqualTo(250);
        assertThat(ProgressReports.periodMillis(500, MINUTE)).isEqualTo(250);
        assertThat(ProgressReports.periodMillis(2_000, MINUTE)).isEqualTo(1000);
        assertThat(ProgressReports.periodMillis(10_000, MINUTE)).isEqualTo(5000);
    }

    @Test
    void aNodeThatIsNotStalledReportsInTime() {
        assertThat(ProgressReports.periodMillis(10_000, Duration.ofSeconds(4))).isEqualTo(1000);
        assertThat(ProgressReports.periodMillis(2, Duration.ofMillis(100))).isEqualTo(25);
    }

    private void passMillis(int millis) {
        for (int passed = 0; passed < millis; passed += 50) {
            channel.advanceTimeBy(50, TimeUnit.MILLISECONDS);
            channel.runScheduledPendingTasks();
        }
    }
}
