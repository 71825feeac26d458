package org.robber.core.steal;

import static org.robber.core.transfer.ProtocolBreach.unless;

import org.robber.core.node.Action;
import org.robber.core.peer.Peer;
import org.robber.core.peer.PeerTable;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.transfer.Outbox;

/** What our peers want of us, and what we tell and give them of it. */
public final class UploadSide {
    private final PieceLedger ledger;
    private final PeerTable peers;
    private final Outbox outbox;

    /**
     * At least all that peers in other clusters await. They are many, and each awaits little, so most pieces that come need
     * not be looked for in what each of them awaits.
     */
    private final PieceSet awaitedOutside;

    public UploadSide(PieceLedger ledger, PeerTable peers, Outbox outbox) {
        this.ledger = ledger;
        this.peers = peers;
        this.outbox = outbox;
        this.awaitedOutside = PieceSet.empty(ledger.pieceCount());
    }

    /**
     * The peer wants these pieces and no others. The stored desire is replaced before possession is looked up, so that a
     * piece is either in the bitfield or announced by a {@code have} when it comes.
     */
    public void desireReceived(Peer peer, PieceSet pieces) {
        unless(pieces.capacity() == ledger.pieceCount(), "desire for other data");
        peer.subscriptions().clear();
        peer.subscriptions().addAll(pieces);
        peer.subscriptions().removeAll(ledger.possession().pieces());
        if (!peer.isLocal()) {
            awaitedOutside.addAll(peer.subscriptions());
        }
        outbox.send(peer, new Message.Bitfield(pieces.and(ledger.possession().pieces())));
    }

    /** The peer asks for a piece: it gets the piece or a refusal, and never silence. */
    public void requestReceived(Peer peer, int piece) {
        unless(piece >= 0 && piece < ledger.pieceCount(), "request for a piece that isn't there");
        if (ledger.possession().contains(piece)) {
            outbox.add(new Action.SendPiece(peer.rank(), piece));
        } else {
            outbox.send(peer, new Message.Reject(piece));
        }
    }

    /** The peer does not need a piece any more that it asked for. */
    public void cancelReceived(Peer peer, int piece) {
        unless(piece >= 0 && piece < ledger.pieceCount(), "cancel of a piece that isn't there");
        outbox.add(new Action.CancelPiece(peer.rank(), piece));
    }

    /** Tells of a piece that just came from a peer: all who desire it, but not the one that it came from. */
    public void announce(int piece, Peer from) {
        Message have = new Message.Have(piece);
        for (Peer peer : awaitedOutside.remove(piece) ? peers.all() : peers.locals()) {
            if (peer.subscriptions().remove(piece)
                    && peer != from
                    && peer.isReady()
                    && !peer.end().isPeerDone()) {
                outbox.send(peer, have);
            }
        }
    }
}
