package org.robber.core.topology;

import static org.assertj.core.api.Assertions.assertThat;

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
    @CsvSource({"7, 61", "11, 15", "49, 49", "29, 58", "93, 93", "99999, 1000000"})
    void theLastPieceHasAnOwner(int members, int pieceCount) {
        assertThat(share(members - 1, members, pieceCount).contains(pieceCount - 1))
                .isTrue();
    }

    @Test
    void everyPieceHasOneOwnerInRandomSizes() {
        SeededRuns.run(50, random -> assertEveryPieceHasOneOwner(1 + random.nextInt(300), random.nextInt(5000)));
    }

    @Test
    void theLargestSizesDoNotOverflow() {
        int members = Topology.MAX_NODES - 1;
        PieceSet share = share(members - 1, members, PieceLayout.MAX_PIECES);
        assertThat(share.contains(PieceLayout.MAX_PIECES - 1)).isTrue();
        assertThat(share.size()).isBetween(167, 168);
    }

    /** The share of a member of a cluster that lacks everything. */
    private static PieceSet share(int index, int members, int pieceCount) {
        return WorkDivision.ALL_MEMBERS.shareOf(
                1 + index, DataPlacement.ofRoot(0, pieceCount), Topology.ofSizes(1, members));
    }

    private static void assertEveryPieceHasOneOwner(int members, int pieceCount) {
        PieceSet owned = PieceSet.empty(pieceCount);
        int pieces = 0;
        for (int index = 0; index < members; index++) {
            PieceSet share = share(index, members, pieceCount);
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
