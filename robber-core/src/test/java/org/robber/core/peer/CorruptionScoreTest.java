package org.robber.core.peer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CorruptionScoreTest {
    @Test
    void aPeerThatSendsNothingWholeIsDroppedAtTheThirdPiece() {
        CorruptionScore trust = new CorruptionScore();

        assertThat(trust.corrupt()).isFalse();
        assertThat(trust.corrupt()).isFalse();
        assertThat(trust.corrupt()).isTrue();
    }

    @Test
    void aLineThatDamagesOnePieceInTenIsKept() {
        CorruptionScore trust = new CorruptionScore();
        for (int piece = 1; piece <= 10_000; piece++) {
            if (piece % 10 == 0) {
                assertThat(trust.corrupt()).isFalse();
            } else {
                trust.verified();
            }
        }
    }

    @Test
    void aPeerThatWasGoodForLongHasNoCreditForEver() {
        CorruptionScore trust = new CorruptionScore();
        for (int piece = 0; piece < 10_000; piece++) {
            trust.verified();
        }
        for (int piece = 0; piece < 8; piece++) {
            assertThat(trust.corrupt()).isFalse();
        }
        assertThat(trust.corrupt()).isTrue();
    }
}
