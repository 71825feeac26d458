package org.robber.core.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.robber.core.node.StrategyLimits;

class UnansweredRequestsTest {
    private static final int ALLOWED = 5;
    private static final int PIECES = 1000;

    private final UnansweredRequests requests = new UnansweredRequests(ALLOWED, PIECES);

    @Test
    void moreThanTwiceWhatTheStrategyAllowsIsABreach() {
        for (int piece = 0; piece < 2 * ALLOWED; piece++) {
            assertThat(requests.requested(piece)).isTrue();
        }
        assertThat(requests.requested(2 * ALLOWED)).isFalse();
    }

    @Test
    void theSamePieceCountsEachTime() {
        for (int i = 0; i < 2 * ALLOWED; i++) {
            assertThat(requests.requested(7)).isTrue();
        }
        assertThat(requests.requested(7)).isFalse();
    }

    @Test
    void answersAndCancelsMakeRoom() {
        for (int i = 0; i < 100 * ALLOWED; i++) {
            assertThat(requests.requested(i % PIECES)).isTrue();
            requests.settled(i % PIECES);
        }
    }

    @Test
    void whatWasNotRequestedMakesNoRoom() {
        for (int piece = 0; piece < 2 * ALLOWED; piece++) {
            assertThat(requests.requested(piece)).isTrue();
            requests.settled(PIECES - 1);
        }
        assertThat(requests.requested(2 * ALLOWED)).isFalse();
    }

    /** All requests are cancelled and made again, and what crossed the cancels is refused and asked for once more. */
    @Test
    void answersThatCrossTheirCancelAreNoBreach() {
        for (int piece = 0; piece < ALLOWED; piece++) {
            assertThat(requests.requested(piece)).isTrue();
        }
        for (int piece = 0; piece < ALLOWED; piece++) {
            requests.settled(piece); // by the refusal, and the cancel finds nothing
            requests.settled(piece);
        }
        for (int round = 0; round < 2; round++) {
            for (int piece = 0; piece < ALLOWED; piece++) {
                assertThat(requests.requested(piece)).isTrue();
            }
        }
    }

    @Test
    void aStrategyWithoutALimitIsBoundedByThePieces() {
        assertThat(new UnansweredRequests(StrategyLimits.UNLIMITED, PIECES).limit())
                .isEqualTo(2 * PIECES);
        assertThat(new UnansweredRequests(StrategyLimits.UNLIMITED, Integer.MAX_VALUE).limit())
                .isEqualTo(Integer.MAX_VALUE);
        assertThat(new UnansweredRequests(ALLOWED, 0).limit()).isEqualTo(2);
    }
}
