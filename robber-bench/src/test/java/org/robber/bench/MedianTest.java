package org.robber.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MedianTest {
    @Test
    void isInTheMiddleOfOddAndEvenCounts() {
        assertThat(Median.of(7)).isEqualTo(7);
        assertThat(Median.of(9, 1, 2)).isEqualTo(2);
        assertThat(Median.of(4, 1, 9, 2)).isEqualTo(3);
    }

    @Test
    void leavesTheValuesInTheirOrder() {
        double[] values = {3, 1, 2};
        assertThat(Median.of(values)).isEqualTo(2);
        assertThat(values).containsExactly(3, 1, 2);
    }
}
