package org.robber.core.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TrustTest {
    @Test
    void aPeerThatSendsNothingWholeIsDroppedAtTheThirdPiece() {
        Trust trust = new Trust();

        assertThat(trust.damaged()).isFalse();
        assertThat(trust.damaged()).isFalse();
        assertThat(trust.damaged()).isTrue();
    }

    @Test
    void aLineThatDamagesOnePieceInTenIsKept() {
        Trust trust = new Trust();
        for (int piece = 1; piece <= 10_000; piece++) {
            if (piece % 10 == 0) {
                assertThat(trust.damaged()).isFalse();
            } else {
                trust.whole();
            }
        }
    }

    @Test
    void aPeerThatWasGoodForLongHasNoCreditForEver() {
        Trust trust = new Trust();
        for (int piece = 0; piece < 10_000; piece++) {
            trust.whole();
        }
        for (int piece = 0; piece < 8; piece++) {
            assertThat(trust.damaged()).isFalse();
        }
        assertThat(trust.damaged()).isTrue();
    }
}
