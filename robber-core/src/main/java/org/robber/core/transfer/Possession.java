package org.robber.core.transfer;

import org.robber.core.piece.PieceSet;

/** The pieces that a node has, and those that are given up because no node has them any more. The node lacks all others. */
public final class Possession {
    private final PieceSet pieces;
    private final PieceSet givenUp;

    /** Nothing is given up. */
    public Possession(PieceSet pieces) {
        this.pieces = pieces.copy();
        this.givenUp = PieceSet.empty(pieces.capacity());
    }

    /** Number of pieces of the data. */
    public int pieceCount() {
        return pieces.capacity();
    }

    /** What is here; a live view. */
    public PieceSet pieces() {
        return pieces;
    }

    /** Whether the piece is here. */
    public boolean contains(int piece) {
        return pieces.contains(piece);
    }

    /** What will not come; a live view, nothing of which is here. */
    public PieceSet givenUp() {
        return givenUp;
    }

    /** What is not here and may still come; a new set. */
    public PieceSet lacked() {
        PieceSet lacked = PieceSet.full(pieceCount()).andNot(pieces);
        lacked.removeAll(givenUp);
        return lacked;
    }

    /** How many pieces are lacked. */
    public int lackedCount() {
        return pieceCount() - pieces.size() - givenUp.size();
    }

    /** Whether the piece is not here and may still come. */
    public boolean lacks(int piece) {
        return !pieces.contains(piece) && !givenUp.contains(piece);
    }

    /** Whether everything is here that will come. */
    public boolean isComplete() {
        return lackedCount() == 0;
    }

    /** Notes that these pieces will not come, but for those that are here. */
    public void giveUp(PieceSet lost) {
        givenUp.addAll(lost.andNot(pieces));
    }

    /** Notes that a piece came, given up or not; returns whether it is new. */
    public boolean add(int piece) {
        givenUp.remove(piece);
        return pieces.add(piece);
    }
}
