package org.robber.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.robber.core.piece.PieceSet;

class LostPiecesTest {
    private final LostPieces copies = new LostPieces(3, 10);

    @Test
    void whatAllSurvivorsLackIsGone() {
        copies.lost(0);
        copies.starved(1, PieceSet.range(10, 2, 6));
        assertThat(copies.lostEverywhere().isEmpty())
                .as("rank 2 has not said anything")
                .isTrue();
        copies.starved(2, PieceSet.range(10, 4, 9));
        assertThat(copies.lostEverywhere()).isEqualTo(PieceSet.range(10, 4, 6));
    }

    @Test
    void nothingIsGoneThatACompleteNodePossesses() {
        copies.lost(0);
        copies.starved(1, PieceSet.full(10));
        copies.completed(2);
        assertThat(copies.lostEverywhere().isEmpty()).isTrue();
    }

    @Test
    void whatWasSaidBeforeALossOrAPieceCountsNoMore() {
        copies.starved(1, PieceSet.range(10, 2, 6));
        copies.lost(0);
        copies.starved(2, PieceSet.range(10, 2, 6));
        assertThat(copies.lostEverywhere().isEmpty()).isTrue();
        copies.starved(1, PieceSet.range(10, 2, 6));
        copies.progressed(2);
        assertThat(copies.lostEverywhere().isEmpty()).isTrue();
    }
}
