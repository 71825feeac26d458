package org.robber.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.core.piece.PieceSet;
import org.robber.core.reduce.ReductionPlanner;
import org.robber.core.topology.DataPlacement;
import org.robber.core.topology.Topology;

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

    /** Pieces 0 to 3 are contributions, by rank; pieces 4 to 7 are the prefixes. */
    private static LostPieces scan() {
        return new LostPieces(
                4, ReductionPlanner.byClusters(Topology.ofSizes(4)).scan(1).placement());
    }

    @Test
    void aProductIsNotLostWhileItsInputsTravel() {
        LostPieces scan = scan();
        scan.lost(3);
        scan.completed(0);
        scan.completed(1);
        scan.starved(2, PieceSet.range(8, 5, 7));

        assertThat(scan.lostEverywhere().isEmpty())
                .as("rank 1 has prefix 5, of which rank 2 can make prefix 6")
                .isTrue();
    }

    @Test
    void aProductIsLostWithAnInput() {
        LostPieces scan = scan();
        scan.lost(0);
        scan.starved(1, PieceSet.range(8, 4, 6));
        scan.starved(2, PieceSet.range(8, 5, 7));
        scan.starved(3, PieceSet.range(8, 6, 8));

        assertThat(scan.lostEverywhere()).isEqualTo(PieceSet.range(8, 4, 8));
    }

    @Test
    void aProductIsLostAlthoughAnInputComesBackThatWasGivenUp() {
        LostPieces scan = scan();
        scan.lost(0);
        scan.lost(2);
        scan.lost(3);
        scan.starved(1, PieceSet.range(8, 4, 6));
        assertThat(scan.lostEverywhere()).isEqualTo(PieceSet.range(8, 4, 6));

        scan.completed(1);
        scan.returned(0);
        scan.completed(0);
        scan.returned(2);
        scan.starved(2, PieceSet.range(8, 5, 7));
        assertThat(scan.lostEverywhere()).isEqualTo(PieceSet.range(8, 6, 7));
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
