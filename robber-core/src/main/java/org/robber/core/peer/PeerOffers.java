package org.robber.core.peer;

import org.robber.core.piece.PieceSet;
import org.robber.core.piece.SmallPieceSet;

/**
 * The pieces that a peer offers. An offered piece is either requestable or avoided. It is avoided if the peer refused it or sent it
 * corrupt, and another peer offers it.
 */
public final class PeerOffers {
    private final PieceSet requestable;
    private SmallPieceSet avoided = SmallPieceSet.NONE;
    private int unansweredDesires;

    PeerOffers(int pieceCount) {
        this.requestable = PieceSet.empty(pieceCount);
    }

    /** The offered pieces that may be requested; a live view for reading. */
    public PieceSet requestable() {
        return requestable;
    }

    /** The offered pieces that are not requested for now. */
    public SmallPieceSet avoided() {
        return avoided;
    }

    /** Whether the piece may be requested. */
    public boolean isRequestable(int piece) {
        return requestable.contains(piece);
    }

    /** Removes all offered pieces, requestable or avoided, from the set. */
    public void removeFrom(PieceSet pieces) {
        pieces.removeAll(requestable);
        avoided.forEach(pieces::remove);
    }

    /** Adds pieces that the peer has; those that are avoided stay so. */
    public void add(PieceSet pieces) {
        requestable.addAll(pieces);
        avoided.forEach(requestable::remove);
    }

    /** Adds a piece that the peer has; an avoided one stays so. */
    public void add(int piece) {
        if (!avoided.contains(piece)) {
            requestable.add(piece);
        }
    }

    /** Avoids a piece that was requestable; returns whether it was. */
    public boolean avoid(int piece) {
        boolean wasRequestable = requestable.remove(piece);
        if (wasRequestable) {
            avoided = avoided.with(piece);
        }
        return wasRequestable;
    }

    /** Makes an avoided piece requestable again; returns whether it was avoided. */
    public boolean allow(int piece) {
        boolean wasAvoided = avoided.contains(piece);
        if (wasAvoided) {
            avoided = avoided.without(piece);
            requestable.add(piece);
        }
        return wasAvoided;
    }

    /** Forgets that a piece is avoided, because it has come. */
    public void forget(int piece) {
        avoided = avoided.without(piece);
    }

    /** A desire was sent to the peer: it owes a bitfield. */
    public void desireSent() {
        unansweredDesires++;
    }

    /** The peer sent a bitfield; returns whether it owed one. */
    public boolean desireAnswered() {
        boolean wasOwed = unansweredDesires > 0;
        if (wasOwed) {
            unansweredDesires--;
        }
        return wasOwed;
    }

    /** Whether the peer has answered every desire that was sent to it. */
    public boolean hasAnsweredDesires() {
        return unansweredDesires == 0;
    }

    void clear() {
        requestable.clear();
        avoided = SmallPieceSet.NONE;
        unansweredDesires = 0;
    }
}
