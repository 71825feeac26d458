package org.robber.transport.job.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ReconnectBudgetTest {
    private static final int PEER = 3;

    private final AtomicLong nanos = new AtomicLong();
    private final ReconnectBudget budget = new ReconnectBudget(4, Duration.ofSeconds(30), nanos::get);

    @Test
    void pausesGrowUntilThePeerIsGivenUp() {
        assertThat(budget.pauseMillisAfterFailure(PEER)).hasValue(100);
        assertThat(budget.pauseMillisAfterFailure(PEER)).hasValue(200);
        assertThat(budget.pauseMillisAfterFailure(PEER)).hasValue(400);
        assertThat(budget.pauseMillisAfterFailure(PEER)).hasValue(800);
        assertThat(budget.pauseMillisAfterFailure(PEER)).isEmpty();
        assertThat(budget.pauseMillisAfterFailure(PEER + 1)).hasValue(100);
    }

    @Test
    void noPauseIsLongerThanTenSeconds() {
        ReconnectBudget patient = new ReconnectBudget(100, Duration.ofSeconds(30), nanos::get);
        for (int failure = 0; failure < 99; failure++) {
            assertThat(patient.pauseMillisAfterFailure(PEER).orElseThrow()).isBetween(100L, 10_000L);
        }
        assertThat(patient.pauseMillisAfterFailure(PEER)).hasValue(10_000);
    }

    @Test
    void aConnectionThatLastedClearsTheRecord() {
        for (int day = 0; day < 20; day++) {
            budget.opened(PEER);
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(10));
            budget.ended(PEER);
            assertThat(budget.pauseMillisAfterFailure(PEER)).hasValue(100);
        }
    }

    /** A peer that has not opened its channel yet sends nothing, so the connection to it ends after the idle timeout. */
    @Test
    void aConnectionThatLastedForTheIdleTimeoutClearsTheRecord() {
        ReconnectBudget impatient = new ReconnectBudget(4, Duration.ofSeconds(3), nanos::get);
        for (int connection = 0; connection < 20; connection++) {
            impatient.opened(PEER);
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(3));
            impatient.ended(PEER);
            assertThat(impatient.pauseMillisAfterFailure(PEER)).hasValue(100);
        }
    }

    @Test
    void aConnectionThatBreaksAtOnceDoesNot() {
        for (int failure = 0; failure < 4; failure++) {
            budget.opened(PEER);
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(10) - 1);
            budget.ended(PEER);
            assertThat(budget.pauseMillisAfterFailure(PEER)).isPresent();
        }
        assertThat(budget.pauseMillisAfterFailure(PEER)).isEmpty();
    }
}
