package org.robber.core.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.robber.core.piece.PieceSet;

class PossessionTest {
    private final Possession possession = new Possession(PieceSet.range(6, 0, 2));

    @Test
    void beginsWithACopy() {
        PieceSet pieces = PieceSet.range(6, 0, 2);
        Possession its = new Possession(pieces);
        pieces.add(5);
        assertThat(its.pieces()).isEqualTo(PieceSet.range(6, 0, 2));
    }

    @Test
    void whatIsNotHereIsLackedUntilItComes() {
        assertThat(possession.lacked()).isEqualTo(PieceSet.range(6, 2, 6));
        assertThat(possession.add(2)).as("new").isTrue();
        assertThat(possession.add(2)).as("new").isFalse();
        assertThat(possession.lacked()).isEqualTo(PieceSet.range(6, 3, 6));
        assertThat(possession.lackedCount()).isEqualTo(3);
        assertThat(possession.lacks(2)).isFalse();
        assertThat(possession.lacks(3)).isTrue();
        assertThat(possession.isComplete()).isFalse();
    }

    @Test
    void onlyWhatIsNotHereIsGivenUp() {
        possession.giveUp(PieceSet.range(6, 1, 4));
        assertThat(possession.givenUp()).isEqualTo(PieceSet.range(6, 2, 4));
        assertThat(possession.lacked()).isEqualTo(PieceSet.range(6, 4, 6));
        assertThat(possession.lacks(3)).isFalse();
    }

    @Test
    void isCompleteWithAllThatWillCome() {
        possession.giveUp(PieceSet.range(6, 4, 6));
        possession.add(2);
        assertThat(possession.isComplete()).isFalse();
        possession.add(3);
        assertThat(possession.isComplete()).isTrue();
        assertThat(possession.pieces().isFull()).isFalse();
    }

    @Test
    void whatComesAfterAllIsNotGivenUp() {
        possession.giveUp(PieceSet.range(6, 2, 6));
        assertThat(possession.add(5)).isTrue();
        assertThat(possession.givenUp()).isEqualTo(PieceSet.range(6, 2, 5));
        assertThat(possession.isComplete()).isTrue();
    }
}
