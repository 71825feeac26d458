package org.robber.core.steal;

import static org.robber.core.transfer.ProtocolBreach.unless;

import org.jspecify.annotations.Nullable;
import org.robber.core.node.Action;
import org.robber.core.peer.Peer;
import org.robber.core.peer.PeerTable;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.topology.DataPlacement;
import org.robber.core.transfer.Outbox;

/**
 * The messages about pieces between a node and its peers. Each side sends a desire. The other side answers with a bitfield of the
 * desired pieces that it has, and sends a have when another one comes. Answers requests, too; {@link Requests} makes them.
 */
final class PieceExchange {
    private final PieceLedger ledger;
    private final PeerTable peers;
    private final Outbox outbox;
    private final boolean areRelayed;

    /** All pieces that were ever desired of any cluster mate. A mate may offer no others. */
    private final PieceSet desiredOfLocals;

    private final PieceSet desiredOfGlobals;

    /**
     * At least the pieces that peers in other clusters subscribe to. These peers are many, and most pieces concern none of them, so
     * this set saves a look at each peer.
     */
    private final PieceSet desiredByGlobals;

    PieceExchange(NodeParts parts) {
        this.ledger = parts.ledger();
        this.peers = parts.peers();
        this.outbox = parts.outbox();
        this.areRelayed = parts.setup().placement().isRelayed();
        this.desiredOfLocals = PieceSet.empty(ledger.pieceCount());
        this.desiredOfGlobals = PieceSet.empty(ledger.pieceCount());
        this.desiredByGlobals = PieceSet.empty(ledger.pieceCount());
        if (parts.variant() == StealingVariant.IMPROVED && !parts.setup().late()) {
            offerPossession(parts.setup().placement());
        }
    }

    /**
     * All nodes know who possesses what at the start, so a node need not wait for bitfields to request it. In a multicast from one root that gains
     * nothing: there, the lines of the root are busy anyway.
     */
    private void offerPossession(DataPlacement placement) {
        if (!placement.hasSingleRoot()) {
            peers.all().forEach(peer -> peer.offers().add(placement.possessedBy(peer.rank())));
        }
    }

    /** The peer can be sent messages: it is told what we desire of it. */
    void peerReady(Peer peer) {
        PieceSet wanted = wantedOf(peer);
        if (!wanted.isEmpty()) {
            desire(peer, wanted);
        }
    }

    /** Tells peers in other clusters what our work is, now that it has changed. */
    void desireWorkOutside() {
        PieceSet work = ledger.desiredOutside();
        for (Peer peer : peers.globals()) {
            if (peer.isReady()) {
                desire(peer, work);
            }
        }
    }

    /** Tells a peer what we want of it now. */
    void desireWorkOf(Peer peer) {
        desire(peer, wantedOf(peer));
    }

    private PieceSet wantedOf(Peer peer) {
        return peer.isLocal() ? ledger.desiredInside() : ledger.desiredOutside();
    }

    /**
     * Tells a peer what we want of it, in place of all we told it before; the set belongs to the message from now on. A peer that was told to
     * stop is told nothing more.
     */
    private void desire(Peer peer, PieceSet pieces) {
        if (peer.end().isPeerToldToStop()) {
            return;
        }
        desiredOf(peer).addAll(pieces);
        peer.offers().desireSent();
        outbox.send(peer, new Message.Desire(pieces));
    }

    /** The answer to a desire: these pieces can be requested of the peer. */
    void bitfieldReceived(Peer peer, PieceSet pieces) {
        unless(pieces.capacity() == ledger.pieceCount(), "bitfield of other data");
        unless(pieces.countCommon(desiredOf(peer)) == pieces.size(), "bitfield of pieces never desired");
        unless(peer.offers().desireAnswered(), "bitfield without a desire");
        peer.offers().add(pieces);
        peer.desiredByPeer().removeAll(pieces);
        if (peer.isLocal()) {
            ledger.leaveToMate(pieces);
        }
    }

    /** The peer got a piece that we desire. */
    void haveReceived(Peer peer, int piece) {
        unless(isPiece(piece), "have of a piece that isn't there");
        unless(desiredOf(peer).contains(piece), "have of a piece never desired");
        peer.offers().add(piece);
        peer.desiredByPeer().remove(piece);
        if (peer.isLocal()) {
            ledger.leaveToMate(piece);
        }
    }

    private PieceSet desiredOf(Peer peer) {
        return peer.isLocal() ? desiredOfLocals : desiredOfGlobals;
    }

    /** Makes those pieces own work that are unasked and that no cluster mate is known to possess. */
    void takeOver(PieceSet work) {
        PieceSet left = work.copy();
        for (Peer mate : peers.locals()) {
            if (!mate.isLost()) {
                left.removeAll(mate.offers().requestable());
            }
        }
        ledger.takeOver(left);
    }

    /**
     * The peer wants these pieces and no others. The stored desire is replaced before possession is looked up, so that a
     * piece is either in the bitfield or announced by a {@code have} when it comes. A peer that was told to stop desires pieces for a node that
     * has them by now, and gets no answer.
     */
    void desireReceived(Peer peer, PieceSet pieces) {
        unless(pieces.capacity() == ledger.pieceCount(), "desire for other data");
        peer.desiredByPeer().clear();
        peer.desiredByPeer().addAll(pieces);
        peer.desiredByPeer().removeAll(ledger.possession().pieces());
        if (!peer.isLocal()) {
            desiredByGlobals.addAll(peer.desiredByPeer());
        }
        if (!peer.end().isPeerToldToStop()) {
            outbox.send(
                    peer, new Message.Bitfield(pieces.and(ledger.possession().pieces())));
        }
    }

    /** The peer requests a piece. The answer is the piece or a reject. */
    void requestReceived(Peer peer, int piece) {
        unless(isPiece(piece), "request for a piece that isn't there");
        if (ledger.possession().contains(piece)) {
            outbox.add(new Action.SendPiece(peer.rank(), piece));
        } else {
            outbox.send(peer, new Message.Reject(piece));
        }
    }

    /** The peer cancels a request. */
    void cancelReceived(Peer peer, int piece) {
        unless(isPiece(piece), "cancel of a piece that isn't there");
        outbox.add(new Action.CancelPiece(peer.rank(), piece));
    }

    /** Announces a new piece to all peers that desire it, but not to the peer that sent it, if one did. */
    void announce(int piece, @Nullable Peer from) {
        Message have = new Message.Have(piece);
        for (Peer peer : desiredByGlobals.remove(piece) ? peers.all() : peers.locals()) {
            if (peer.desiredByPeer().remove(piece) && peer != from && peer.isReady() && hasUseFor(peer)) {
                outbox.send(peer, have);
            }
        }
    }

    /** Whether the peer may still request pieces. A node that lacks nothing may bring them for others. */
    private boolean hasUseFor(Peer peer) {
        return areRelayed ? !peer.end().isPeerToldToStop() : !peer.end().isPeerDone();
    }

    private boolean isPiece(int piece) {
        return piece >= 0 && piece < ledger.pieceCount();
    }
}
