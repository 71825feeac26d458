package org.robber.cli.replicate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.core.piece.PieceLayout;

/** Whether nodes compare what they have, and in which pieces. */
class StartTest {

    private static final long GIB = 1L << 30;
    private static final PieceLayout LAYOUT = new PieceLayout(GIB, 1 << 20);

    @Test
    void nodesWithoutEarlierCopiesCompareNothing() {
        assertThat(Start.of(true, List.of(0L, 0L), LAYOUT, true)).isEqualTo(new Start(true, 0));
        assertThat(Start.of(false, List.of(), LAYOUT, true).compares()).isFalse();
    }

    @Test
    void piecesAreSmallWhereMostNodesHaveMostOfTheData() {
        assertThat(Start.of(false, List.of(GIB, GIB / 2, 0L), LAYOUT, true).pieceBytes())
                .isEqualTo(16 << 10);
        assertThat(Start.of(false, List.of(GIB, 5L, 0L), LAYOUT, true).pieceBytes())
                .isEqualTo(1 << 20);
        assertThat(Start.of(false, List.of(GIB, GIB), LAYOUT, false).pieceBytes())
                .isEqualTo(1 << 20);
        PieceLayout large = new PieceLayout(100 * GIB, 4 << 20);
        assertThat(Start.of(false, List.of(100 * GIB), large, true).pieceBytes())
                .isEqualTo(2 << 20);
        PieceLayout small = new PieceLayout(GIB, 4096);
        assertThat(Start.of(false, List.of(GIB), small, true).pieceBytes()).isEqualTo(4096);
    }

    @Test
    void tooManyPiecesAreNotCompared() {
        PieceLayout tiny = new PieceLayout(GIB, 512);
        assertThat(Start.of(false, List.of(GIB), tiny, false).compares()).isFalse();
    }

    @Test
    void theDecisionArrives() {
        Start start = new Start(true, 32 << 10);
        assertThat(Start.fromBytes(start.toBytes())).isEqualTo(start);
    }
}
