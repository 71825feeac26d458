package org.robber.core.peer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PeerReliabilityTest {
    @Test
    void aPeerThatSendsNothingWholeIsDroppedAtTheThirdPiece() {
        PeerReliability trust = new PeerReliability();

        assertThat(trust.corrupt()).isFalse();
        assertThat(trust.corrupt()).isFalse();
        assertThat(trust.corrupt()).isTrue();
    }

    @Test
    void aLineThatDamagesOnePieceInTenIsKept() {
        PeerReliability trust = new PeerReliability();
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
        PeerReliability trust = new PeerReliability();
        for (int piece = 0; piece < 10_000; piece++) {
            trust.verified();
        }
        for (int piece = 0; piece < 8; piece++) {
            assertThat(trust.corrupt()).isFalse();
        }
        assertThat(trust.corrupt()).isTrue();
    }

    @Test
    void aPeerThatRefusesEverythingExceedsTheLimit() {
        PeerReliability reliability = new PeerReliability();
        for (int refusal = 1; refusal < 100; refusal++) {
            assertThat(reliability.refused()).isFalse();
        }
        assertThat(reliability.refused()).isTrue();
    }

    @Test
    void refusalsCountFromTheLastPieceAndConnectionOn() {
        PeerReliability reliability = new PeerReliability();
        for (int refusal = 0; refusal < 250; refusal++) {
            assertThat(reliability.refused()).isFalse();
            if (refusal % 99 == 98) {
                reliability.verified();
            } else if (refusal % 50 == 49) {
                reliability.connectionLost();
            }
        }
    }
}
