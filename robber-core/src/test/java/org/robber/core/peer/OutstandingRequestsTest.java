package org.robber.core.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

class OutstandingRequestsTest {

    @Test
    void hasRoomUpToItsLimit() {
        OutstandingRequests window = new OutstandingRequests(2, 1);
        window.add(7, 0);
        assertThat(window.hasRoom()).isTrue();
        window.add(9, 0);
        assertThat(window.hasRoom()).isFalse();
        assertThat(window.size()).isEqualTo(2);
        assertThatIllegalStateException().isThrownBy(() -> window.add(11, 0));
    }

    @Test
    void anAnswerMakesRoomOnce() {
        OutstandingRequests window = new OutstandingRequests(2, 1);
        window.add(7, 0);
        window.add(9, 0);
        assertThat(window.remove(7)).isTrue();
        assertThat(window.remove(7)).isFalse();
        assertThat(window.contains(7)).isFalse();
        assertThat(window.contains(9)).isTrue();
        assertThat(window.size()).isEqualTo(1);
    }

    @Test
    void holdsAPieceOnce() {
        OutstandingRequests window = new OutstandingRequests(2, 1);
        window.add(7, 0);
        assertThatIllegalStateException().isThrownBy(() -> window.add(7, 0));
    }

    @Test
    void mayBeLarge() {
        OutstandingRequests window = new OutstandingRequests(Integer.MAX_VALUE, 1);
        for (int piece = 0; piece < 1000; piece++) {
            window.add(piece, 0);
        }
        assertThat(window.size()).isEqualTo(1000);
        assertThat(window.drain()).startsWith(0, 1, 2).endsWith(999).hasSize(1000);
        assertThat(window.size()).isZero();
    }

    @Test
    void holdsAtLeastOne() {
        assertThatIllegalArgumentException().isThrownBy(() -> new OutstandingRequests(0, 1));
    }
}
