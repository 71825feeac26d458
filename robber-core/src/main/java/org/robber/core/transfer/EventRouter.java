package org.robber.core.transfer;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;
import static org.robber.core.transfer.ProtocolBreach.unless;

import org.robber.core.node.Action;
import org.robber.core.node.Event;
import org.robber.core.node.TimerKey;
import org.robber.core.protocol.Message;

/**
 * Hands each event to the part of a node that it concerns, with the peer in place of the rank. What must not be said
 * costs the peer its connection, and nothing else.
 */
public final class EventRouter {
    private final PeerTable peers;
    private final Outbox outbox;
    private final Listener listener;
    private boolean started;

    /** What a strategy does about events. */
    public interface Listener {
        /** The peer can be sent messages; told once. */
        void peerReady(Peer peer);

        /** A message of a peer that is ready and has not stopped; throws {@link ProtocolBreach} if it must not be said. */
        void received(Peer peer, Message message);

        /** A piece is here and verified. */
        void pieceStored(Peer from, int piece);

        /** A piece arrived damaged and was thrown away. */
        void pieceCorrupt(Peer from, int piece);

        /** The peer is gone for good; told once. */
        void peerLost(Peer peer);

        /** The deadline of this timer has passed. */
        void timerFired(TimerKey key);
    }

    public EventRouter(PeerTable peers, Outbox outbox, Listener listener) {
        this.peers = peers;
        this.outbox = outbox;
        this.listener = listener;
    }

    /** The multicast begins; must be the first that happens, and happen once. */
    public void start() {
        checkState(!started, "started twice");
        started = true;
    }

    /** Tells the listener what happened. */
    public void route(Event event) {
        checkState(started, "not started");
        if (event instanceof Event.Received received) {
            received(received.fromRank(), received.message());
        } else if (event instanceof Event.PieceStored stored) {
            listener.pieceStored(peer(stored.fromRank()), stored.piece());
        } else if (event instanceof Event.PieceCorrupt corrupt) {
            listener.pieceCorrupt(peer(corrupt.fromRank()), corrupt.piece());
        } else if (event instanceof Event.PeerReady ready) {
            Peer peer = peer(ready.peerRank());
            if (peer.becomeReady()) {
                listener.peerReady(peer);
            }
        } else if (event instanceof Event.PeerLost lost) {
            lose(peer(lost.peerRank()));
        } else if (event instanceof Event.TimerFired fired) {
            listener.timerFired(fired.key());
        }
    }

    private void received(int rank, Message message) {
        Peer peer = peers.find(rank);
        if (peer == null) {
            outbox.add(new Action.Disconnect(rank, "not a peer"));
        } else if (!peer.isLost()) {
            try {
                unless(peer.isReady(), "message before it was ready");
                unless(!peer.hasStopped(), "message after stop");
                listener.received(peer, message);
            } catch (ProtocolBreach breach) {
                disconnect(peer, breach.why());
            }
        }
    }

    /** Ends the connection to a peer that is of no use any more. */
    public void disconnect(Peer peer, String why) {
        outbox.add(new Action.Disconnect(peer.rank(), why));
        lose(peer);
    }

    private void lose(Peer peer) {
        if (peer.becomeLost()) {
            listener.peerLost(peer);
        }
    }

    private Peer peer(int rank) {
        Peer peer = peers.find(rank);
        checkArgument(peer != null, "rank %s is not a peer", rank);
        return peer;
    }
}
