package org.robber.core.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.robber.core.node.MulticastNode;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.node.NodeSetup;
import org.robber.core.piece.PieceSet;
import org.robber.core.steal.RobberStrategy;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;

class StrategiesTest {

    @Test
    void robberIsFoundByItsName() {
        MulticastStrategy strategy = Strategies.byName("robber");
        assertThat(strategy).isInstanceOf(RobberStrategy.class);
        assertThat(Strategies.names()).contains(strategy.name());
    }

    @Test
    void anUnknownNameIsAnsweredWithTheKnownOnes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Strategies.byName("Robber"))
                .withMessageContaining("'Robber'")
                .withMessageContaining("known are: ")
                .withMessageContaining("robber");
    }

    @Test
    void aNameThatIsMissingIsNoUnknownOne() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Strategies.byName(""))
                .withMessageStartingWith("a name of a strategy is missing; known are: auto, balanced");
    }

    @Test
    void thoseThatChooseWhatToFetchSteal() {
        assertThat(Strategies.names().stream().filter(Strategies::steals))
                .containsExactly("auto", "bittorrent", "mob", "robber");
        assertThat(Strategies.steals("mob:published")).isTrue();
        assertThat(Strategies.steals("balanced:exact")).isFalse();
        assertThat(Strategies.steals("exec")).as("no strategy").isFalse();
    }

    @Test
    void anUnknownOptionIsAnsweredWithTheKnownOnes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Strategies.byName("bittorrent:rarest,fast"))
                .withMessageContaining("no option 'fast'")
                .withMessageContaining("known are: biased, endgame, rarest");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Strategies.byName("robber:rarest"))
                .withMessageContaining("no option 'rarest'; known are: direct, published");
        assertThatIllegalArgumentException().isThrownBy(() -> Strategies.byName("bittorrent:"));
    }

    @Test
    void optionsAreKnownByTheNameInWhateverOrderTheyAreGiven() {
        assertThat(Strategies.byName("bittorrent:rarest,endgame").name()).isEqualTo("bittorrent:endgame,rarest");
        assertThat(Strategies.byName("bittorrent:endgame,rarest").fingerprint()).isEqualTo("bittorrent:endgame,rarest");
    }

    @Test
    void aStrategyPlansAndMakesNodes() {
        Topology topology = Topology.ofSizes(2, 3);
        MulticastStrategy strategy = Strategies.byName("robber");
        Overlay overlay = strategy.planOverlay(topology, 5);
        assertThat(overlay.localPeers(0)).containsExactly(1);
        assertThat(overlay.globalPeers(0)).isNotEmpty();
        MulticastNode node = strategy.createNode(new NodeSetup(3, topology, overlay, 0, PieceSet.empty(9), 5, 5, 1));
        assertThat(node.possession()).isEqualTo(PieceSet.empty(9));
    }
}
