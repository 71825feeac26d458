package org.robber.core.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.robber.core.random.SeededRuns;

class OverlayTest {

    @Test
    void tellsLocalFromGlobalPeers() {
        Overlay overlay = Overlay.builder(Topology.ofSizes(3, 2))
                .connect(4, 1)
                .connect(1, 0)
                .connect(0, 1)
                .connect(1, 2)
                .build();
        assertThat(overlay.localPeers(1)).containsExactly(0, 2);
        assertThat(overlay.globalPeers(1)).containsExactly(4);
        assertThat(overlay.peers(1)).containsExactly(0, 2, 4);
        assertThat(overlay.peers(3)).isEmpty();
        assertThat(overlay.connectionCount()).isEqualTo(3);
        assertThat(overlay.connected(4, 1)).isTrue();
        assertThat(overlay.connected(0, 2)).isFalse();
    }

    @Test
    void isNotChangedFromOutside() {
        Overlay.Builder builder = Overlay.builder(Topology.ofSizes(3)).connect(0, 1);
        Overlay overlay = builder.build();
        builder.connect(0, 2);
        overlay.peers(0)[0] = 2;
        assertThat(overlay.peers(0)).containsExactly(1);
    }

    @Test
    void connectsNobodyToItselfOrToNobody() {
        Overlay.Builder builder = Overlay.builder(Topology.ofSizes(3));
        assertThatThrownBy(() -> builder.connect(1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> builder.connect(1, 3)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> builder.connect(-1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(builder.build().connectionCount()).isZero();
    }

    @Test
    void keepsPeersInOrderHoweverTheyCome() {
        SeededRuns.run(50, random -> {
            int nodes = 2 + random.nextInt(60);
            Overlay.Builder builder = Overlay.builder(Topology.ofSizes(nodes));
            TreeSet<Integer> peersOfZero = new TreeSet<>();
            for (int i = 0; i < nodes; i++) {
                int peer = 1 + random.nextInt(nodes - 1);
                assertThat(builder.connected(peer, 0)).isEqualTo(peersOfZero.contains(peer));
                builder.connect(0, peer);
                peersOfZero.add(peer);
                assertThat(builder.degree(0)).isEqualTo(peersOfZero.size());
            }
            assertThat(builder.build().peers(0))
                    .containsExactly(peersOfZero.stream().mapToInt(i -> i).toArray());
        });
    }
}
