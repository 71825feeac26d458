package org.robber.core.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.core.node.Action;
import org.robber.core.node.Event;
import org.robber.core.node.MulticastNode;
import org.robber.core.node.Puppeteer;
import org.robber.core.node.TimerKey;
import org.robber.core.node.Words;
import org.robber.core.piece.PieceSet;
import org.robber.core.topology.Topology;

/** Peers that stall, go and come back, and nodes that never do. */
class ReturningPeerTest {
    private static final Topology TOPOLOGY = Topology.ofSizes(1, 2, 1);

    private static MulticastNode node(String strategy, int rank) {
        MulticastNode node = Strategies.byName(strategy).createNode(Puppeteer.connectedToAll(rank, TOPOLOGY, 4, 2, 1));
        node.start(0);
        return node;
    }

    private static List<String> words(List<Action> actions) {
        List<String> words = new ArrayList<>();
        actions.forEach(action -> words.add(Words.of(action)));
        return words;
    }

    private static List<String> hear(MulticastNode node, int from, String message) {
        return words(node.handle(0, new Event.Received(from, Words.message(message, 4))));
    }

    @Test
    void allBeginsAnewWithAPeerThatComesBack() {
        MulticastNode node = node("robber:published", 1);
        assertThat(words(node.handle(0, new Event.PeerReady(0)))).containsExactly("0: desire 0-1");
        assertThat(hear(node, 0, "bitfield 0-1")).containsExactlyInAnyOrder("0: request 0", "0: request 1");
        node.handle(0, new Event.PeerLost(0));
        assertThat(words(node.handle(0, new Event.PeerReady(0)))).containsExactly("0: desire 0-1");
        assertThat(hear(node, 0, "bitfield 0-1")).containsExactlyInAnyOrder("0: request 0", "0: request 1");
    }

    @Test
    void inASwarmAPeerThatComesBackTellsAnewWhatItHas() {
        MulticastNode node = node("bittorrent", 1);
        node.handle(0, new Event.PeerReady(0));
        assertThat(hear(node, 0, "bitfield 0-3")).containsExactly("0: interested");
        assertThat(hear(node, 0, "unchoke")).hasSize(2);
        node.handle(0, new Event.PeerLost(0));
        node.handle(0, new Event.PeerReady(0));
        assertThat(hear(node, 0, "bitfield 0-3")).containsExactly("0: interested");
        assertThat(hear(node, 0, "unchoke")).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"robber", "mob", "bittorrent"})
    void aStalledPeerThatHasNothingToSayIsAskedAgainOnceItIsAlive(String strategy) {
        MulticastNode node = node(strategy, 1);
        node.handle(0, new Event.PeerReady(0));
        hear(node, 0, "bitfield 0-1");
        if (strategy.equals("bittorrent")) {
            hear(node, 0, "unchoke");
        }
        assertThat(words(node.handle(0, new Event.PeerStalled(0))))
                .contains("0: cancel 0", "0: cancel 1")
                .doesNotContain("0: request 0");
        assertThat(words(node.handle(0, new Event.PeerRevived(0)))).contains("0: request 0", "0: request 1");
        assertThat(node.handle(0, new Event.PeerRevived(0))).isEmpty();
    }

    @Test
    void whatWasAskedOfAStalledPeerIsAskedOfOthersAndOfItAgainOnlyWhenItSpeaks() {
        MulticastNode node = node("mob:published", 1);
        node.handle(0, new Event.PeerReady(0));
        node.handle(0, new Event.PeerReady(3));
        hear(node, 0, "bitfield 0-1");
        hear(node, 3, "bitfield 0-1");
        assertThat(words(node.handle(0, new Event.PeerStalled(0))))
                .contains("0: cancel 0", "0: cancel 1", "3: request 0", "3: request 1")
                .doesNotContain("0: request 0", "0: request 1");
        node.handle(0, new Event.PeerLost(3));
        assertThat(hear(node, 0, "have 0")).containsExactlyInAnyOrder("0: request 0", "0: request 1");
        assertThat(hear(node, 0, "reject 0"))
                .as("a refusal of what was taken back")
                .isNotNull();
    }

    @Test
    void aNodeThatIsGoneForGoodIsNotWelcome() {
        MulticastNode node = node("robber", 1);
        node.handle(0, new Event.PeerReady(2));
        node.handle(0, new Event.NodeLost(2));
        assertThat(words(node.handle(0, new Event.PeerReady(2)))).contains("disconnect 2: not welcome any more");
    }

    @Test
    void whoStarvesSaysSoOnceAndEndsWithWhatItHasWhenTheRestIsGivenUp() {
        for (String strategy : List.of("robber", "mob", "bittorrent")) {
            MulticastNode node = node(strategy, 3);
            node.handle(0, new Event.PeerReady(1));
            assertThat(words(node.handle(0, new Event.NodeLost(0)))).contains("no_progress at 2000000000");
            assertThat(node.handle(2_000_000_000, new Event.TimerFired(TimerKey.NO_PROGRESS)))
                    .as(strategy)
                    .containsExactly(new Action.Starved(PieceSet.full(4)));
            assertThat(node.handle(3_000_000_000L, new Event.GivenUp(PieceSet.full(4))))
                    .as(strategy)
                    .contains(new Action.Incomplete(PieceSet.full(4)));
        }
    }

    @Test
    void aTreeEndsForWhoeverHasLostAllNodesAbove() {
        MulticastNode node = node("chain", 3);
        node.handle(0, new Event.NodeLost(2));
        node.handle(0, new Event.NodeLost(1));
        assertThat(node.handle(0, new Event.NodeLost(0))).contains(new Action.Incomplete(PieceSet.full(4)));
    }
}
