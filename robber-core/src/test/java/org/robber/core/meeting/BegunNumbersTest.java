package org.robber.core.meeting;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BegunNumbersTest {
    private static final long OTHER_SERIES = 3L << MeetingNode.SERIES_SHIFT;

    private final BegunNumbers numbers = new BegunNumbers();

    @Test
    void numbersInARowAreOneRange() {
        for (long number = 1; number < 100_000; number++) {
            assertThat(numbers.contains(number)).isFalse();
            numbers.add(number);
            assertThat(numbers.contains(number)).isTrue();
        }
        assertThat(numbers.ranges()).isEqualTo(1);
    }

    /** As where only every second call of a communicator has a second meeting. */
    @Test
    void gapsTakeBoundedMemory() {
        long last = 10L * BegunNumbers.MOST_RANGES;
        numbers.add(OTHER_SERIES + 1);
        for (long number = 0; number <= last; number += 2) {
            numbers.add(number);
        }
        assertThat(numbers.ranges()).isEqualTo(BegunNumbers.MOST_RANGES + 1);
        assertThat(numbers.contains(last)).isTrue();
        assertThat(numbers.contains(last - 1)).as("it may still be begun").isFalse();
        assertThat(numbers.contains(1)).as("it was left out for good").isTrue();
        assertThat(numbers.contains(last + 1)).isFalse();
        assertThat(numbers.contains(OTHER_SERIES)).isFalse();
        assertThat(numbers.contains(OTHER_SERIES + 1)).isTrue();
    }
}
