package org.robber.core.steal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.core.node.Event;
import org.robber.core.node.NodeSetup;
import org.robber.core.node.TimerKey;
import org.robber.core.node.Words;
import org.robber.core.peer.Peer;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;

/**
 * What a strategy hears of its node, and when. Node 1 has one mate, 2, and two peers outside, the root 0 and 3; its work is 0
 * to 2 of six pieces, and it may ask each peer for one piece at a time. Its policy answers all that it hears with a message to the
 * mate.
 */
class StealingNodeTest {
    private static final int PIECES = 6;
    private static final int MATE = 2;

    private final NodeSetup setup = setup();
    private final NodeParts parts = NodeParts.of(setup, StealingVariant.PUBLISHED);
    private final Talker policy = new Talker();
    private final PieceExchange exchange = new PieceExchange(parts);
    private final Relays relays = new Relays(parts, exchange, /* mayBeUsed= */ false);
    private final StealingNode node = new StealingNode(parts, exchange, relays, new Requests(parts, relays), policy);

    /** Tells the mate: of work that came back that it was found, and of a peer that went without any that there is none. */
    private final class Talker implements WorkPolicy {
        private boolean expectsWork;

        private void say(Message message) {
            parts.outbox().send(parts.peers().locals().get(0), message);
        }

        @Override
        public void peerReady(Peer peer) {
            say(new Message.Have(peer.rank()));
        }

        @Override
        public void received(Peer peer, Message message) {
            say(message);
        }

        @Override
        public void ownWorkGrew() {
            say(new Message.FoundWork());
        }

        @Override
        public void peerLost(Peer peer, boolean ownWorkGrew) {
            say(ownWorkGrew ? new Message.FoundWork() : new Message.Work(PieceSet.empty(PIECES)));
        }

        @Override
        public void peerStalled(Peer peer, boolean ownWorkGrew) {
            peerLost(peer, ownWorkGrew);
        }

        @Override
        public boolean isExpectingWork() {
            return expectsWork;
        }
    }

    private static NodeSetup setup() {
        Topology topology = Topology.ofSizes(1, 2, 1);
        Overlay overlay = Overlay.builder(topology)
                .connect(0, 1)
                .connect(1, MATE)
                .connect(1, 3)
                .build();
        return new NodeSetup(1, topology, overlay, 0, PieceSet.empty(PIECES), 1, 1, 1);
    }

    private List<String> handle(Event event) {
        return node.handle(0, event).stream().map(Words::of).toList();
    }

    private List<String> receive(int fromRank, String message) {
        return handle(new Event.Received(fromRank, Words.message(message, PIECES)));
    }

    /** Piece 0 was asked of the root and piece 1 of node 3, which both have it. */
    private void ask() {
        node.start(0);
        assertThat(handle(new Event.PeerReady(MATE))).containsExactly("2: desire 0-5", "2: have 2");
        assertThat(handle(new Event.PeerReady(0))).containsExactly("0: desire 0-2", "2: have 0");
        assertThat(handle(new Event.PeerReady(3))).containsExactly("3: desire 0-2", "2: have 3");
        assertThat(receive(0, "bitfield 0")).containsExactly("0: request 0");
        assertThat(receive(3, "bitfield 0-1")).containsExactly("3: request 1");
    }

    @Test
    void hearsOfRefusedWorkWhenItWasDesiredAgain() {
        ask();
        assertThat(receive(0, "reject 0")).containsExactly("0: desire 0,2", "3: desire 0,2", "2: found-work");
    }

    @Test
    void hearsOfDamagedWorkWhenItWasDesiredAgain() {
        ask();
        assertThat(handle(new Event.PieceCorrupt(0, 0)))
                .containsExactly("0: desire 0,2", "3: desire 0,2", "2: found-work");
    }

    @Test
    void hearsOfALostPeerWhetherWorkCameBack() {
        ask();
        assertThat(handle(new Event.PeerLost(0))).containsExactly("3: desire 0,2", "2: found-work");
        assertThat(handle(new Event.PeerLost(3))).containsExactly("2: found-work");
        node.handle(0, new Event.PeerReady(3));
        assertThat(handle(new Event.PeerLost(3))).containsExactly("2: work none");
    }

    @Test
    void hearsOfAStalledPeerWhetherWorkCameBack() {
        ask();
        assertThat(handle(new Event.PeerStalled(0)))
                .containsExactly("0: cancel 0", "0: desire 0,2", "3: desire 0,2", "2: found-work");
    }

    @Test
    void hearsWhatIsNotAboutPieces() {
        ask();
        assertThat(receive(3, "found-work")).containsExactly("2: found-work");
    }

    @Test
    void aNodeThatExpectsWorkDoesNotStarve() {
        node.start(0);
        assertThat(handle(new Event.NodeLost(0))).contains("no_progress at 2000000000");
        policy.expectsWork = true;
        assertThat(handle(new Event.TimerFired(TimerKey.NO_PROGRESS))).containsExactly("no_progress at 2000000000");
        policy.expectsWork = false;
        assertThat(handle(new Event.TimerFired(TimerKey.NO_PROGRESS))).containsExactly("starved");
    }

    @Test
    void byItselfWorkStaysAndNothingElseMayBeSaid() {
        StealingNode mob = StealingNode.ofMob(setup, StealingVariant.PUBLISHED);
        mob.start(0);
        assertThat(mob.handle(0, new Event.PeerReady(MATE)).stream().map(Words::of))
                .containsExactly("2: desire 0-5");
        assertThat(mob.handle(0, new Event.Received(MATE, new Message.FoundWork())).stream()
                        .map(Words::of))
                .contains("disconnect 2: FOUND_WORK has no place in this strategy");
    }
}
