package org.robber.core.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class TreeOrderTest {

    @Test
    void eachNodeComesAfterItsParentAndBesideItsSiblings() {
        assertThat(TreeOrder.rootFirst(new int[] {2, 4, -1, 0, 2, 4})).containsExactly(2, 0, 4, 3, 1, 5);
    }

    @Test
    void oneNodeIsATree() {
        assertThat(TreeOrder.rootFirst(new int[] {-1})).containsExactly(0);
    }

    @Test
    void parentsThatAreNoTreeAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> TreeOrder.rootFirst(new int[] {-1, -1}));
        assertThatIllegalArgumentException().isThrownBy(() -> TreeOrder.rootFirst(new int[] {1, 0}));
        assertThatIllegalArgumentException().isThrownBy(() -> TreeOrder.rootFirst(new int[] {-1, 2, 1}));
    }
}
