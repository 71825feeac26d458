package org.robber.core.join;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.core.node.Action;
import org.robber.core.node.Event;
import org.robber.core.node.MulticastNode;
import org.robber.core.node.NodeCounters;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;

class WelcomingNodeTest {
    private static final int MEMBERS = 4;
    private static final int PIECES = 6;
    private static final int JOINER = 4;
    private static final int OTHER = 5;

    private final Recorder member = new Recorder();
    private final WelcomingNode node = new WelcomingNode(member, MEMBERS);

    /** A machine that does nothing but to store what comes. */
    private static final class Recorder implements MulticastNode {
        final List<Event> heard = new ArrayList<>();
        final PieceSet possession = PieceSet.empty(PIECES);

        @Override
        public List<Action> start(long nowNanos) {
            return List.of(new Action.Completed());
        }

        @Override
        public List<Action> handle(long nowNanos, Event event) {
            heard.add(event);
            if (event instanceof Event.PieceStored stored) {
                possession.add(stored.piece());
            }
            return List.of(new Action.Finished());
        }

        @Override
        public PieceSet possession() {
            return possession;
        }

        @Override
        public NodeCounters counters() {
            return new NodeCounters(1, 2, 3, 4, 5);
        }
    }

    private List<Action> hear(int joiner, Message message) {
        return node.handle(0, new Event.Received(joiner, message));
    }

    private List<Action> store(int piece) {
        return node.handle(0, new Event.PieceStored(1, piece));
    }

    private void welcome(int joiner) {
        assertThat(node.handle(0, new Event.PeerReady(joiner))).isEmpty();
    }

    private static PieceSet pieces(int... numbers) {
        PieceSet pieces = PieceSet.empty(PIECES);
        for (int number : numbers) {
            pieces.add(number);
        }
        return pieces;
    }

    private static Action send(int joiner, Message message) {
        return new Action.Send(joiner, message);
    }

    @Test
    void theMemberHearsOfMembersAndNothingOfJoiners() {
        assertThat(node.start(0)).containsExactly(new Action.Completed());
        Event ofMember = new Event.PeerReady(MEMBERS - 1);
        assertThat(node.handle(0, ofMember)).containsExactly(new Action.Finished());
        welcome(JOINER);
        assertThat(hear(JOINER, new Message.Desire(PieceSet.full(PIECES)))).hasSize(1);
        assertThat(node.handle(0, new Event.PeerStalled(JOINER))).isEmpty();
        assertThat(node.handle(0, new Event.PeerRevived(JOINER))).isEmpty();
        assertThat(node.handle(0, new Event.PeerLost(JOINER))).isEmpty();
        assertThat(member.heard).containsExactly(ofMember);
        assertThat(node.counters()).isEqualTo(member.counters());
    }

    @Test
    void tellsOfWhatIsHereAndOfWhatComes() {
        store(2);
        welcome(JOINER);
        welcome(OTHER);
        PieceSet desired = pieces(1, 2, 3);
        assertThat(hear(JOINER, new Message.Desire(desired)))
                .containsExactly(send(JOINER, new Message.Bitfield(pieces(2))));
        assertThat(store(3)).containsExactly(new Action.Finished(), send(JOINER, new Message.Have(3)));
        assertThat(store(3)).containsExactly(new Action.Finished());
        assertThat(store(4)).containsExactly(new Action.Finished());
    }

    @Test
    void givesWhatIsHereAndRefusesWhatIsNot() {
        store(2);
        welcome(JOINER);
        assertThat(hear(JOINER, new Message.Request(2))).containsExactly(new Action.SendPiece(JOINER, 2));
        assertThat(hear(JOINER, new Message.Request(3))).containsExactly(send(JOINER, new Message.Reject(3)));
        assertThat(hear(JOINER, new Message.Cancel(2))).containsExactly(new Action.CancelPiece(JOINER, 2));
    }

    @Test
    void partsOnceBothHaveEverything() {
        welcome(JOINER);
        for (int piece = 0; piece < PIECES - 1; piece++) {
            store(piece);
        }
        assertThat(hear(JOINER, new Message.Done())).isEmpty();
        assertThat(store(PIECES - 1))
                .containsExactly(
                        new Action.Finished(), send(JOINER, new Message.Done()), send(JOINER, new Message.Stop()));
        assertThat(hear(JOINER, new Message.Stop())).isEmpty();
    }

    @Test
    void partsOnceWhatIsLeftIsHereAndTheRestGivenUp() {
        welcome(JOINER);
        for (int piece = 2; piece < PIECES; piece++) {
            store(piece);
        }
        assertThat(node.handle(0, new Event.GivenUp(pieces(0)))).containsExactly(new Action.Finished());
        assertThat(node.handle(0, new Event.GivenUp(pieces(1, 2))))
                .containsExactly(new Action.Finished(), send(JOINER, new Message.Done()));
        assertThat(hear(JOINER, new Message.Done())).containsExactly(send(JOINER, new Message.Stop()));
        assertThat(node.handle(0, new Event.PeerReady(OTHER))).containsExactly(send(OTHER, new Message.Done()));
    }

    @Test
    void whoComesBackBeginsAnew() {
        welcome(JOINER);
        hear(JOINER, new Message.Desire(PieceSet.full(PIECES)));
        node.handle(0, new Event.PeerLost(JOINER));
        assertThat(store(1)).containsExactly(new Action.Finished());
        welcome(JOINER);
        assertThat(store(2)).containsExactly(new Action.Finished());
        assertThat(hear(JOINER, new Message.Desire(pieces(1, 5))))
                .containsExactly(send(JOINER, new Message.Bitfield(pieces(1))));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, PIECES, Integer.MAX_VALUE})
    void whoAsksForNoPieceLosesItsConnection(int piece) {
        welcome(JOINER);
        assertThat(hear(JOINER, new Message.Request(piece))).hasOnlyElementsOfType(Action.Disconnect.class);
        assertThat(hear(JOINER, new Message.Request(0))).isEmpty();
        welcome(OTHER);
        assertThat(hear(OTHER, new Message.Cancel(piece))).hasOnlyElementsOfType(Action.Disconnect.class);
        assertThat(hear(OTHER, new Message.Request(0))).isEmpty();
    }

    @Test
    void whoSaysWhatIsNotForJoinersLosesItsConnection() {
        List<Message> wrong = List.of(
                new Message.Steal(0, 0),
                new Message.FoundWork(),
                new Message.Work(PieceSet.empty(PIECES)),
                new Message.Bitfield(PieceSet.full(PIECES)),
                new Message.Have(1),
                new Message.Stop(),
                new Message.Interested(),
                new Message.Desire(PieceSet.full(PIECES + 1)));
        for (Message message : wrong) {
            welcome(JOINER);
            assertThat(hear(JOINER, message)).as("%s", message).singleElement().isInstanceOf(Action.Disconnect.class);
        }
        welcome(JOINER);
        hear(JOINER, new Message.Done());
        assertThat(hear(JOINER, new Message.Done())).singleElement().isInstanceOf(Action.Disconnect.class);
        assertThat(member.heard).isEmpty();
    }
}
