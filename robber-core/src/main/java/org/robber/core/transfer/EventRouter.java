package org.robber.core.transfer;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;
import static org.robber.core.transfer.ProtocolBreach.unless;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.robber.core.node.Action;
import org.robber.core.node.Event;
import org.robber.core.node.TimerKey;
import org.robber.core.peer.Peer;
import org.robber.core.peer.PeerTable;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;

/**
 * Passes each event to the strategy, with the peer in place of the rank. Disconnects a peer that breaks the protocol.
 */
public final class EventRouter {
    private final PeerTable peers;
    private final Outbox outbox;
    private final Listener listener;
    private boolean started;

    /** The event handlers of a strategy. */
    public interface Listener {
        /** The peer can be sent messages; told again after each loss. */
        void peerReady(Peer peer);

        /** A message of a peer that is ready and has not stopped. Throws {@link ProtocolBreach} if the message breaks the protocol. */
        void received(Peer peer, Message message);

        /** A piece begins to arrive; when it began to leave, so many of our requests waited at the peer. */
        default void pieceBegun(Peer from, int waiting) {}

        /** A piece is here and verified. */
        void pieceStored(Peer from, int piece);

        /** The driver has made a piece that this node produces; told again if it was made twice. */
        void pieceProduced(int piece);

        /** A piece arrived damaged and was thrown away. */
        void pieceCorrupt(Peer from, int piece);

        /** The connection to the peer is gone. */
        void peerLost(Peer peer);

        /** Nothing comes from the peer though it owes pieces. */
        default void peerStalled(Peer peer) {}

        /** Something came from the peer again. */
        default void peerRevived(Peer peer) {}

        /**
         * A node is dead.
         *
         * @param lost the peer that it was, whose loss was told before; null if it was none
         */
        default void nodeLost(@Nullable Peer lost) {}

        /** No node possesses these pieces any more. */
        default void givenUp(PieceSet pieces) {}

        /** The deadline of this timer has passed. */
        void timerFired(TimerKey key);
    }

    public EventRouter(PeerTable peers, Outbox outbox, Listener listener) {
        this.peers = peers;
        this.outbox = outbox;
        this.listener = listener;
    }

    /** Begins the multicast. Must be called once, before the first event. */
    public void start() {
        checkState(!started, "started twice");
        started = true;
    }

    /** Tells the listener what happened. */
    public void route(Event event) {
        checkState(started, "not started");
        if (event instanceof Event.Received received) {
            received(received.fromRank(), received.message());
        } else if (event instanceof Event.PieceBegun begun) {
            listener.pieceBegun(peer(begun.fromRank()), begun.waiting());
        } else if (event instanceof Event.PieceStored stored) {
            Peer peer = peer(stored.fromRank());
            // In this order, or the piece at hand might be asked for again.
            listener.pieceStored(peer, stored.piece());
            revive(peer);
        } else if (event instanceof Event.PieceProduced produced) {
            listener.pieceProduced(produced.piece());
        } else if (event instanceof Event.PieceCorrupt corrupt) {
            Peer peer = peer(corrupt.fromRank());
            listener.pieceCorrupt(peer, corrupt.piece());
            revive(peer);
        } else if (event instanceof Event.PeerReady ready) {
            ready(peers.findOrAdd(ready.peerRank()));
        } else if (event instanceof Event.PeerLost lost) {
            ifKnown(lost.peerRank(), this::lose);
        } else if (event instanceof Event.PeerStalled stalled) {
            ifKnown(stalled.peerRank(), this::stall);
        } else if (event instanceof Event.PeerRevived revived) {
            ifKnown(revived.peerRank(), this::revive);
        } else if (event instanceof Event.NodeLost lost) {
            nodeLost(peers.find(lost.lostRank()));
        } else if (event instanceof Event.GivenUp givenUp) {
            listener.givenUp(givenUp.pieces());
        } else if (event instanceof Event.TimerFired fired) {
            listener.timerFired(fired.key());
        }
    }

    private void ready(Peer peer) {
        if (peer.isExpelled()) {
            outbox.add(new Action.Disconnect(peer.rank(), "not welcome any more"));
        } else if (peer.becomeReady()) {
            listener.peerReady(peer);
        }
    }

    /** Ignores unknown ranks: a connection that a repair made may end before the peer was ready. */
    private void ifKnown(int rank, Consumer<Peer> what) {
        Peer peer = peers.find(rank);
        if (peer != null) {
            what.accept(peer);
        }
    }

    private void stall(Peer peer) {
        if (peer.mayBeAsked()) {
            peer.stall();
            listener.peerStalled(peer);
        }
    }

    private void revive(Peer peer) {
        if (peer.isStalled()) {
            peer.revive();
            listener.peerRevived(peer);
        }
    }

    private void nodeLost(@Nullable Peer peer) {
        if (peer != null) {
            peer.expel();
            lose(peer);
        }
        listener.nodeLost(peer);
    }

    private void received(int rank, Message message) {
        Peer peer = peers.find(rank);
        if (peer == null) {
            outbox.add(new Action.Disconnect(rank, "not a peer"));
        } else if (!peer.isLost()) {
            try {
                unless(peer.isReady(), "message before it was ready");
                unless(!peer.end().hasPeerStopped(), "message after stop");
                revive(peer);
                listener.received(peer, message);
            } catch (ProtocolBreach breach) {
                disconnect(peer, breach.why());
            }
        }
    }

    /** Ends the connection to a peer, which may not come back. */
    public void disconnect(Peer peer, String why) {
        outbox.add(new Action.Disconnect(peer.rank(), why));
        peer.expel();
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
