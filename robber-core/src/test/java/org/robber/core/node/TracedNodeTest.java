package org.robber.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.trace.TraceEvent;

class TracedNodeTest {

    private static final NodeCounters COUNTERS = new NodeCounters(1, 2, 3, 4, 5);

    /** Answers whatever happens with one action of each kind. */
    private static final class AllActions implements MulticastNode {
        @Override
        public List<Action> start(long nowNanos) {
            return List.of(new Action.Completed());
        }

        @Override
        public List<Action> handle(long nowNanos, Event event) {
            return List.of(
                    new Action.Send(4, new Message.Desire(PieceSet.range(9, 2, 5))),
                    new Action.SendPiece(4, 7),
                    new Action.CancelPiece(4, 8),
                    new Action.SetTimer(TimerKey.RECHOKE, 99),
                    new Action.Disconnect(4, "why"),
                    new Action.Finished());
        }

        @Override
        public PieceSet possession() {
            return PieceSet.full(3);
        }

        @Override
        public NodeCounters counters() {
            return COUNTERS;
        }
    }

    private final List<String> lines = new ArrayList<>();
    private final MulticastNode inner = new AllActions();
    private final TracedNode node = new TracedNode(2, inner, (TraceEvent event) -> lines.add(event.toLine()));

    @Test
    void actionsAreTracedAndPassedOn() {
        Event event = new Event.TimerFired(TimerKey.RECHOKE);
        assertThat(node.start(10)).isEqualTo(inner.start(10));
        assertThat(node.handle(11, event)).isEqualTo(inner.handle(11, event));
        assertThat(lines)
                .containsExactly(
                        "10 2 started",
                        "10 2 completed",
                        "11 2 timer-fired 1",
                        "11 2 sent 4 desire 3",
                        "11 2 piece-sent 4 7",
                        "11 2 piece-cancelled 4 8",
                        "11 2 timer-set 99",
                        "11 2 disconnected 4",
                        "11 2 finished");
    }

    @Test
    void eventsAreTraced() {
        List<Event> events = List.of(
                new Event.PeerReady(4),
                new Event.PeerLost(4),
                new Event.PieceStored(4, 1),
                new Event.PieceCorrupt(4, 2),
                new Event.Received(4, new Message.Have(3)),
                new Event.Received(4, new Message.Steal(6, 0)),
                new Event.Received(4, new Message.FoundWork()));
        events.forEach(event -> node.handle(5, event));
        assertThat(lines)
                .contains(
                        "5 2 peer-ready 4",
                        "5 2 peer-lost 4",
                        "5 2 piece-stored 4 1",
                        "5 2 piece-corrupt 4 2",
                        "5 2 received 4 have 3",
                        "5 2 received 4 steal 6",
                        "5 2 received 4 found-work")
                .hasSize(7 * events.size());
    }

    @Test
    void theRestIsTheNodesOwn() {
        assertThat(node.possession()).isEqualTo(PieceSet.full(3));
        assertThat(node.counters()).isEqualTo(COUNTERS);
    }
}
