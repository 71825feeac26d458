package org.robber.core.steal;

import java.util.HashMap;
import java.util.Map;
import org.robber.core.peer.Peer;
import org.robber.core.peer.PeerTable;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.topology.DataPlacement;
import org.robber.core.transfer.Outbox;

/** The pieces that a node fetches for others, because they were entrusted to it ({@link Relays}, {@link MateRelays}). */
final class RelaySide {
    private final DataPlacement placement;
    private final PieceExchange exchange;
    private final PieceLedger ledger;
    private final PeerTable peers;
    private final Outbox outbox;

    /** The pieces to bring for each node, by its rank. */
    private final Map<Integer, PieceSet> wanted = new HashMap<>();

    /** The pieces that each owner possesses at the start or produces, by its rank; kept, since they are many ranges. */
    private final Map<Integer, PieceSet> owned = new HashMap<>();

    /** How many more pieces this node brings for others. */
    private int room;

    /** Whether requests were cancelled, so that others may be made. */
    private boolean hasCancelled;

    RelaySide(NodeParts parts, PieceExchange exchange) {
        this.placement = parts.setup().placement();
        this.exchange = exchange;
        this.ledger = parts.ledger();
        this.peers = parts.peers();
        this.outbox = parts.outbox();
        this.room = placement.mostRelayedPieces();
    }

    /**
     * A node entrusts pieces to this one. It does not bring those that exceed its memory. To a mate it returns these, and those that it cannot
     * get. In other clusters, idle lines fetch them.
     */
    void bring(Peer peer, PieceSet pieces) {
        PieceSet more = ledger.bring(peer.isLocal() ? obtainable(pieces) : pieces, room);
        room -= more.size();
        wanted.computeIfAbsent(peer.rank(), rank -> PieceSet.empty(ledger.pieceCount()))
                .addAll(more);
        if (!more.isEmpty()) {
            for (Peer owner : peers.all()) {
                if (owner.isReady() && ownedBy(owner).nextCommonWord(more, 0) >= 0) {
                    exchange.desireWorkOf(owner);
                }
            }
        }
        PieceSet refused = pieces.andNot(more);
        refused.removeAll(ledger.possession().pieces());
        returnTo(peer, refused);
    }

    /** Returns to mates what cannot be got any more. They fetch it themselves. */
    void returnUnobtainable() {
        for (Peer mate : peers.locals()) {
            PieceSet ofMate = wanted.get(mate.rank());
            if (ofMate != null && mate.isReady()) {
                PieceSet unasked = ofMate.and(ledger.unaskedForOthers());
                PieceSet unobtainable = unasked.andNot(obtainable(unasked));
                ofMate.removeAll(unobtainable);
                unobtainable.forEach(this::drop);
                returnTo(mate, unobtainable);
            }
        }
    }

    /** Those of the pieces that a peer possesses or produces from which something may still be requested; a new set. */
    private PieceSet obtainable(PieceSet pieces) {
        PieceSet obtainable = PieceSet.empty(ledger.pieceCount());
        for (Peer owner : peers.all()) {
            boolean isReachable = !owner.isLost()
                    && !owner.isStalled()
                    && !owner.end().isPeerToldToStop()
                    && !owner.end().hasPeerStopped();
            if (isReachable) {
                obtainable.addAll(ownedBy(owner));
            }
        }
        obtainable.retainAll(pieces);
        return obtainable;
    }

    private PieceSet ownedBy(Peer owner) {
        return owned.computeIfAbsent(owner.rank(), rank -> {
            PieceSet pieces = placement.possessedBy(rank);
            pieces.addAll(placement.producedBy(rank));
            return pieces;
        });
    }

    private void returnTo(Peer peer, PieceSet pieces) {
        if (peer.isLocal() && !pieces.isEmpty()) {
            outbox.send(peer, new Message.Work(pieces));
        }
    }

    /** A node that has got pieces otherwise needs no relay for them. It may not even have them any more, once it has made a product of them. */
    void offered(Peer peer, PieceSet pieces) {
        if (wanted.containsKey(peer.rank())) {
            pieces.forEach(piece -> offered(peer, piece));
        }
    }

    /** The same for one piece. */
    void offered(Peer peer, int piece) {
        PieceSet ofPeer = wanted.get(peer.rank());
        if (ofPeer != null && ofPeer.remove(piece)) {
            drop(piece);
        }
    }

    /** The peer is gone or needs nothing more: what this node was to bring for it is dropped. Else requests would outlive the call. */
    void bringNothingFor(Peer peer) {
        PieceSet ofPeer = wanted.remove(peer.rank());
        if (ofPeer != null) {
            ofPeer.forEach(this::drop);
        }
    }

    private void drop(int piece) {
        boolean wasUnasked = ledger.unasked().contains(piece);
        if (!ledger.stopBringing(piece)) {
            return;
        }
        if (wasUnasked) {
            room++;
            return;
        }
        for (Peer owner : peers.all()) {
            if (owner.requests().cancel(piece)) {
                outbox.send(owner, new Message.Cancel(piece));
                hasCancelled = true;
            }
        }
    }

    /** Whether requests were cancelled since this was last asked, so that others may be made. */
    boolean hasCancelled() {
        boolean result = hasCancelled;
        hasCancelled = false;
        return result;
    }
}
