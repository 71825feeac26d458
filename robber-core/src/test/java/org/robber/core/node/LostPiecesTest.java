package org.robber.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.core.piece.PieceSet;
import org.robber.core.topology.DataPlacement;

class LostPiecesTest {
    private final LostPieces copies = new LostPieces(3, DataPlacement.ofRoot(0, 10));

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

    @Test
    void whatANodeDoesNotWantIsNoCopy() {
        LostPieces parts = new LostPieces(3, DataPlacement.scatter(0, List.of(0, 1, 2), 9));
        parts.lost(0);
        parts.completed(1);
        parts.starved(2, PieceSet.range(9, 7, 9));

        assertThat(parts.lostEverywhere()).isEqualTo(PieceSet.range(9, 7, 9));
    }

    @Test
    void whatOnlyLostNodesWantedIsNotGivenUp() {
        LostPieces parts = new LostPieces(3, DataPlacement.scatter(0, List.of(0, 1, 2), 9));
        parts.lost(0);
        parts.lost(2);
        parts.completed(1);

        assertThat(parts.lostEverywhere().isEmpty()).isTrue();
    }
}
