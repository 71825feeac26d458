package org.robber.core.node;

import static org.robber.core.trace.TraceEvent.NONE;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.protocol.MessageType;
import org.robber.core.trace.TraceEvent;
import org.robber.core.trace.TraceKind;
import org.robber.core.trace.TraceSink;

/** A node whose events and actions all go to a {@link TraceSink}. It behaves as the node that it wraps. */
public final class TracedNode implements MulticastNode {
    private final int rank;
    private final MulticastNode node;
    private final TraceSink sink;

    public TracedNode(int rank, MulticastNode node, TraceSink sink) {
        this.rank = rank;
        this.node = node;
        this.sink = sink;
    }

    @Override
    public List<Action> start(long nowNanos) {
        trace(nowNanos, TraceKind.STARTED, NONE, null, NONE);
        return traced(nowNanos, node.start(nowNanos));
    }

    @Override
    public List<Action> handle(long nowNanos, Event event) {
        trace(nowNanos, event);
        return traced(nowNanos, node.handle(nowNanos, event));
    }

    @Override
    public PieceSet possession() {
        return node.possession();
    }

    @Override
    public NodeCounters counters() {
        return node.counters();
    }

    private List<Action> traced(long nowNanos, List<Action> actions) {
        actions.forEach(action -> trace(nowNanos, action));
        return actions;
    }

    private void trace(long nowNanos, Event event) {
        if (event instanceof Event.Received received) {
            trace(nowNanos, TraceKind.RECEIVED, received.fromRank(), received.message());
        } else if (event instanceof Event.PieceStored stored) {
            trace(nowNanos, TraceKind.PIECE_STORED, stored.fromRank(), null, stored.piece());
        } else if (event instanceof Event.PieceProduced produced) {
            trace(nowNanos, TraceKind.PIECE_PRODUCED, NONE, null, produced.piece());
        } else if (event instanceof Event.PieceCorrupt corrupt) {
            trace(nowNanos, TraceKind.PIECE_CORRUPT, corrupt.fromRank(), null, corrupt.piece());
        } else if (event instanceof Event.PeerReady ready) {
            trace(nowNanos, TraceKind.PEER_READY, ready.peerRank(), null, NONE);
        } else if (event instanceof Event.PeerLost lost) {
            trace(nowNanos, TraceKind.PEER_LOST, lost.peerRank(), null, NONE);
        } else if (event instanceof Event.PeerStalled stalled) {
            trace(nowNanos, TraceKind.PEER_STALLED, stalled.peerRank(), null, NONE);
        } else if (event instanceof Event.PeerRevived revived) {
            trace(nowNanos, TraceKind.PEER_REVIVED, revived.peerRank(), null, NONE);
        } else if (event instanceof Event.NodeLost lost) {
            trace(nowNanos, TraceKind.NODE_LOST, lost.lostRank(), null, NONE);
        } else if (event instanceof Event.GivenUp givenUp) {
            trace(nowNanos, TraceKind.GIVEN_UP, NONE, null, givenUp.pieces().size());
        } else if (event instanceof Event.TimerFired fired) {
            trace(nowNanos, TraceKind.TIMER_FIRED, NONE, null, fired.key().code());
        }
    }

    private void trace(long nowNanos, Action action) {
        if (action instanceof Action.Send send) {
            trace(nowNanos, TraceKind.SENT, send.toRank(), send.message());
        } else if (action instanceof Action.SendPiece sent) {
            trace(nowNanos, TraceKind.PIECE_SENT, sent.toRank(), null, sent.piece());
        } else if (action instanceof Action.CancelPiece cancelled) {
            trace(nowNanos, TraceKind.PIECE_CANCELLED, cancelled.toRank(), null, cancelled.piece());
        } else if (action instanceof Action.SetTimer timer) {
            trace(nowNanos, TraceKind.TIMER_SET, NONE, null, timer.atNanos());
        } else if (action instanceof Action.Disconnect disconnect) {
            trace(nowNanos, TraceKind.DISCONNECTED, disconnect.peerRank(), null, NONE);
        } else if (action instanceof Action.Starved starved) {
            trace(nowNanos, TraceKind.STARVED, NONE, null, starved.pieces().size());
        } else if (action instanceof Action.Incomplete incomplete) {
            trace(
                    nowNanos,
                    TraceKind.INCOMPLETE,
                    NONE,
                    null,
                    incomplete.pieces().size());
        } else if (action instanceof Action.Completed) {
            trace(nowNanos, TraceKind.COMPLETED, NONE, null, NONE);
        } else if (action instanceof Action.Finished) {
            trace(nowNanos, TraceKind.FINISHED, NONE, null, NONE);
        }
    }

    private void trace(long nowNanos, TraceKind kind, int peer, Message message) {
        trace(nowNanos, kind, peer, message.type(), valueOf(message));
    }

    private void trace(long nowNanos, TraceKind kind, int peer, @Nullable MessageType message, long value) {
        sink.accept(new TraceEvent(nowNanos, rank, kind, peer, message, value));
    }

    private static long valueOf(Message message) {
        return switch (message.type()) {
            case BITFIELD -> ((Message.Bitfield) message).pieces().size();
            case DESIRE -> ((Message.Desire) message).pieces().size();
            case WORK -> ((Message.Work) message).pieces().size();
            case HAVE -> ((Message.Have) message).piece();
            case REQUEST -> ((Message.Request) message).piece();
            case REJECT -> ((Message.Reject) message).piece();
            case CANCEL -> ((Message.Cancel) message).piece();
            case STEAL -> ((Message.Steal) message).piecesStolen();
            default -> NONE;
        };
    }
}
