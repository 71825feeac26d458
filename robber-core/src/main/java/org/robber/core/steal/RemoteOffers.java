package org.robber.core.steal;

import static org.robber.core.transfer.ProtocolBreach.unless;

import org.robber.core.peer.Peer;
import org.robber.core.peer.PeerTable;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.transfer.Outbox;

/** What we want of our peers, and what they tell us of it. */
public final class RemoteOffers {
    private final PieceLedger ledger;
    private final Outbox outbox;

    /** All that we ever desired of any cluster mate, and of any other peer: they may speak of nothing else. */
    private final PieceSet wishedOfMates;

    private final PieceSet wishedOutside;

    public RemoteOffers(PieceLedger ledger, Outbox outbox) {
        this.ledger = ledger;
        this.outbox = outbox;
        this.wishedOfMates = PieceSet.empty(ledger.pieceCount());
        this.wishedOutside = PieceSet.empty(ledger.pieceCount());
    }

    /**
     * Tells a peer what we want of it, in place of all we told it before.
     *
     * @param pieces belongs to the message from now on
     */
    public void desire(Peer peer, PieceSet pieces) {
        wishedOf(peer).addAll(pieces);
        peer.offers().desireSent();
        outbox.send(peer, new Message.Desire(pieces));
    }

    /** The answer to a desire: these pieces can be requested of the peer. */
    public void bitfieldReceived(Peer peer, PieceSet pieces) {
        unless(pieces.capacity() == ledger.pieceCount(), "bitfield of other data");
        unless(pieces.countCommon(wishedOf(peer)) == pieces.size(), "bitfield of pieces never desired");
        unless(peer.offers().desireAnswered(), "bitfield without a desire");
        peer.offers().add(pieces);
        peer.subscriptions().removeAll(pieces);
        if (peer.isLocal()) {
            ledger.leaveToMate(pieces);
        }
    }

    /** The peer got a piece that we desire. */
    public void haveReceived(Peer peer, int piece) {
        unless(piece >= 0 && piece < ledger.pieceCount(), "have of a piece that isn't there");
        unless(wishedOf(peer).contains(piece), "have of a piece never desired");
        peer.offers().add(piece);
        peer.subscriptions().remove(piece);
        if (peer.isLocal()) {
            ledger.leaveToMate(piece);
        }
    }

    /** Removes the pieces that cluster mates are known to possess. */
    public void removeHeldByMates(PieceSet pieces, PeerTable peers) {
        for (Peer mate : peers.locals()) {
            if (!mate.isLost()) {
                pieces.removeAll(mate.offers().requestable());
            }
        }
    }

    private PieceSet wishedOf(Peer peer) {
        return peer.isLocal() ? wishedOfMates : wishedOutside;
    }
}
