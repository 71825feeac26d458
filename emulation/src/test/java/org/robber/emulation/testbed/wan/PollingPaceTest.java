package org.robber.emulation.testbed.wan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PollingPaceTest {

    private static final long MICROSECOND = 1000;
    private static final long REST = 250 * MICROSECOND;

    private final PollingPace pace = new PollingPace();

    @Test
    void thereIsNoRestAtFirst() {
        assertThat(pace.restUntilNanos()).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void whatComesRarelyIsLookedForAtOnce() {
        pace.suit(20 * REST);
        pace.waited(0, REST);
        assertThat(pace.restUntilNanos()).isEqualTo(Long.MIN_VALUE);
        pace.waited(2 * REST, 10 * REST);
        assertThat(pace.restUntilNanos()).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void whatComesOftenIsLookedForAfterARest() {
        pace.suit(20 * REST);
        pace.waited(0, REST - 1);
        assertThat(pace.restUntilNanos()).isEqualTo(2 * REST - 1);
    }

    @Test
    void restingEndsWhenLessComes() {
        pace.suit(20 * REST);
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
        assertThat(pace.restUntilNanos()).isEqualTo(1000 * MICROSECOND);
    }

    @Test
    void whatCameWhileWeRestedCameInTheMiddleOfIt() {
        pace.suit(20 * REST);
        pace.waited(0, 0);
        assertThat(pace.cameNanos()).as("the loop had not rested").isZero();
        pace.waited(REST, REST);
        assertThat(pace.cameNanos()).isEqualTo(REST / 2);
        pace.waited(2 * REST, 2 * REST + REST / 2);
        assertThat(pace.cameNanos()).as("it came when we waited").isEqualTo(2 * REST + REST / 2);
    }

    @Test
    void whatComesLateHasComeAtMostHalfARestAgo() {
        pace.suit(20 * REST);
        pace.waited(0, 0);
        pace.waited(10 * REST, 10 * REST);
        assertThat(pace.cameNanos()).isEqualTo(10 * REST - REST / 2);
    }

    @Test
    void waitsEndAsMuchEarlierAsWakingUpTakes() {
        assertThat(pace.waitNanos(0, REST)).as("nothing is known yet").isEqualTo(REST);
        for (int i = 0; i < 200; i++) {
            pace.wokeUp(100 * MICROSECOND);
        }
        assertThat(pace.waitNanos(0, REST)).isBetween(REST - 100 * MICROSECOND, REST - 99 * MICROSECOND);
        assertThat(pace.waitNanos(0, 50 * MICROSECOND)).isZero();
        pace.waited(0, 5 * REST);
        assertThat(pace.cameNanos()).isBetween(5 * REST - 100 * MICROSECOND, 5 * REST - 99 * MICROSECOND);
        pace.waited(0, 30 * MICROSECOND);
        assertThat(pace.cameNanos()).as("not before we waited for it").isZero();
    }

    @Test
    void whoHadNoProcessorLearnsNothingOfWakingUp() {
        pace.wokeUp(20_000 * MICROSECOND);
        assertThat(pace.waitNanos(0, REST)).isEqualTo(REST);
    }

    @Test
    void whatIsDueUntilTheMiddleOfARestIsDueBefore() {
        pace.suit(20 * REST);
        assertThat(pace.untilNanos(5)).isEqualTo(5);
        pace.waited(0, REST / 4);
        assertThat(pace.untilNanos(REST / 4)).isEqualTo(REST / 4 + REST / 2);
        assertThat(pace.untilNanos(3 * REST)).as("never what is past").isEqualTo(3 * REST);
    }
}
