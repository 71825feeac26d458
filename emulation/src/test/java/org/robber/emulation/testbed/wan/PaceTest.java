package org.robber.emulation.testbed.wan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PaceTest {

    private static final long MICROSECOND = 1000;
    private static final long REST = 250 * MICROSECOND;

    private final Pace pace = new Pace();

    @Test
    void thereIsNoRestAtFirst() {
        assertThat(pace.restUntilNanos()).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void whatComesRarelyIsLookedForAtOnce() {
        pace.suit(40 * REST);
        pace.waited(0, REST);
        assertThat(pace.restUntilNanos()).isEqualTo(Long.MIN_VALUE);
        pace.waited(2 * REST, 10 * REST);
        assertThat(pace.restUntilNanos()).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void whatComesOftenIsLookedForAfterARest() {
        pace.suit(40 * REST);
        pace.waited(0, REST - 1);
        assertThat(pace.restUntilNanos()).isEqualTo(2 * REST - 1);
    }

    @Test
    void restingEndsWhenLessComes() {
        pace.suit(40 * REST);
        pace.waited(0, 0);
        assertThat(pace.restUntilNanos()).isEqualTo(REST);
        pace.waited(REST, REST);
        assertThat(pace.restUntilNanos()).isEqualTo(2 * REST);
        pace.waited(2 * REST, 3 * REST);
        assertThat(pace.restUntilNanos()).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void restsAreShortInShortNetworksButNeverNothing() {
        pace.suit(0);
        pace.waited(0, 0);
        assertThat(pace.restUntilNanos()).isEqualTo(50 * MICROSECOND);
    }

    @Test
    void restsAreNotLongInLongNetworks() {
        pace.suit(1_000_000 * MICROSECOND);
        pace.waited(0, 0);
        assertThat(pace.restUntilNanos()).isEqualTo(500 * MICROSECOND);
    }
}
