package org.robber.transport.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.robber.RobberException;

class BlockingCallsTest {
    private final List<RobberException> failures = new ArrayList<>();
    private final BlockingCalls waiting = new BlockingCalls(3, failures::add);

    @Test
    void waitsThatEndWithoutAResultLeaveNothingBehind() {
        CompletableFuture<String> future = new CompletableFuture<>();
        for (int i = 0; i < 100; i++) {
            assertThat(waiting.endsWithin(future, "wait", Duration.ofNanos(1000)))
                    .isFalse();
        }
        assertThat(future.getNumberOfDependents()).isZero();
        assertThat(failures).isEmpty();

        future.complete("here");
        assertThat(waiting.endsWithin(future, "wait", Duration.ZERO)).isTrue();
    }

    @Test
    void limitsMayBeLongerThanTheClockCounts() {
        CompletableFuture<String> future = CompletableFuture.completedFuture("here");
        Duration ages = ChronoUnit.FOREVER.getDuration();
        assertThat(waiting.endsWithin(future, "wait", ages)).isTrue();
        assertThat(waiting.until(future, "wait", ages)).isEqualTo("here");
        assertThat(waiting.within(ages).until(future, "wait")).isEqualTo("here");
    }
}
