package org.robber.transport.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.robber.core.piece.PieceSet;

class DigestTableTest {

    @Test
    void collectsDigestsInAnyOrder() {
        DigestTable table = new DigestTable(3, 2);
        table.set(2, new byte[] {5, 6});
        table.set(0, new byte[] {1, 2});

        assertThat(table.known()).hasToString("0,2 of 3");
        assertThat(table.get(2)).containsExactly(5, 6);
        assertThatThrownBy(() -> table.get(1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(table::allBytes).isInstanceOf(IllegalStateException.class);

        table.set(1, new byte[] {9, 9});
        table.set(1, new byte[] {3, 4});
        assertThat(table.known()).isEqualTo(PieceSet.full(3));
        assertThat(table.allBytes()).containsExactly(1, 2, 3, 4, 5, 6);
    }

    @Test
    void refusesWhatDoesNotFit() {
        DigestTable table = new DigestTable(2, 4);
        assertThatThrownBy(() -> table.set(0, new byte[3])).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> table.set(2, new byte[4])).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> new DigestTable(1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThat(new DigestTable(0, 16).allBytes()).isEmpty();
    }
}
