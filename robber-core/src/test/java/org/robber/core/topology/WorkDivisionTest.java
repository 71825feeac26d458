package org.robber.core.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.robber.core.piece.PieceLayout;
import org.robber.core.piece.PieceSet;
import org.robber.core.random.SeededRuns;

class WorkDivisionTest {

    @Test
    void everyPieceHasOneOwner() {
        for (int members = 1; members <= 40; members++) {
            for (int pieceCount = 0; pieceCount <= 130; pieceCount++) {
                assertEveryPieceHasOneOwner(members, pieceCount);
            }
        }
    }

    /** In floating point, floor(members * (pieces / members)) is one less than pieces here. */
    @ParameterizedTest
    @CsvSource({"7, 61", "11, 15", "49, 49", "29, 58", "93, 93", "100000, 1000000"})
    void theLastPieceHasAnOwner(int members, int pieceCount) {
        assertThat(WorkDivision.share(members - 1, members, pieceCount).contains(pieceCount - 1))
                .isTrue();
    }

    @Test
    void everyPieceHasOneOwnerInRandomSizes() {
        SeededRuns.run(50, random -> assertEveryPieceHasOneOwner(1 + random.nextInt(300), random.nextInt(5000)));
    }

    @Test
    void theLargestSizesDoNotOverflow() {
        int last = Topology.MAX_NODES - 1;
        PieceSet share = WorkDivision.share(last, Topology.MAX_NODES, PieceLayout.MAX_PIECES);
        assertThat(share.contains(PieceLayout.MAX_PIECES - 1)).isTrue();
        assertThat(share.size()).isBetween(167, 168);
    }

    @Test
    void refusesMembersThatAreNotThere() {
        assertThatThrownBy(() -> WorkDivision.share(3, 3, 10)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> WorkDivision.share(-1, 3, 10)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> WorkDivision.share(0, 0, 10)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> WorkDivision.share(0, 1, -1)).isInstanceOf(RuntimeException.class);
    }

    private static void assertEveryPieceHasOneOwner(int members, int pieceCount) {
        PieceSet owned = PieceSet.empty(pieceCount);
        int pieces = 0;
        for (int index = 0; index < members; index++) {
            PieceSet share = WorkDivision.share(index, members, pieceCount);
            assertThat(share.size()).isBetween(pieceCount / members, (pieceCount + members - 1) / members);
            owned.addAll(share);
            pieces += share.size();
        }
        assertThat(owned.isFull())
                .as("%s members, %s pieces", members, pieceCount)
                .isTrue();
        assertThat(pieces).as("%s members, %s pieces", members, pieceCount).isEqualTo(pieceCount);
    }
}
