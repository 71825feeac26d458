package org.robber.core.transfer;

import org.robber.core.node.NodeSetup;
import org.robber.core.piece.PieceSet;

/**
 * The pieces that a node has, those that it lacks, and those that are given up because no node has them any more. A node lacks the
 * pieces that it wants, that are not here, and that are not given up. Each of these sets counts itself in O(1).
 */
public final class Possession {
    private final PieceSet pieces;
    private final PieceSet lacked;
    private final PieceSet givenUp;

    /** Nothing is given up, and all pieces are wanted. */
    public Possession(PieceSet pieces) {
        this(pieces, PieceSet.full(pieces.capacity()));
    }

    /**
     * Nothing is given up.
     *
     * @param wanted the pieces that the node wants, whether they are here or not; copied
     */
    public Possession(PieceSet pieces, PieceSet wanted) {
        this.pieces = pieces.copy();
        this.lacked = wanted.andNot(pieces);
        this.givenUp = PieceSet.empty(pieces.capacity());
    }

    /** The pieces that a node possesses at the start, those that it wants, and those that it produces. */
    public static Possession of(NodeSetup setup) {
        return new Possession(setup.possession(), setup.placement().wantedBy(setup.rank()));
    }

    /** Number of pieces of the data. */
    public int pieceCount() {
        return pieces.capacity();
    }

    /** The pieces that are here; a live view. */
    public PieceSet pieces() {
        return pieces;
    }

    /** Whether the piece is here. */
    public boolean contains(int piece) {
        return pieces.contains(piece);
    }

    /** The pieces that were wanted and will not come; a live view, nothing of which is here. */
    public PieceSet givenUp() {
        return givenUp;
    }

    /** The pieces that are wanted, are not here, and may still come; a new set. */
    public PieceSet lacked() {
        return lacked.copy();
    }

    /** How many pieces are lacked. */
    public int lackedCount() {
        return lacked.size();
    }

    /** Whether the piece is wanted, is not here, and may still come. */
    public boolean lacks(int piece) {
        return lacked.contains(piece);
    }

    /** Whether the piece is wanted and is not here, whether it will come or not. */
    public boolean misses(int piece) {
        return lacked.contains(piece) || givenUp.contains(piece);
    }

    /** Whether everything is here that is wanted and will come. */
    public boolean isComplete() {
        return lacked.isEmpty();
    }

    /** Notes that these pieces will not come, but for those that are here. */
    public void giveUp(PieceSet lost) {
        givenUp.addAll(lost.and(lacked));
        lacked.removeAll(lost);
    }

    /** Notes that a piece came, given up or not; returns whether it is new. */
    public boolean add(int piece) {
        givenUp.remove(piece);
        lacked.remove(piece);
        return pieces.add(piece);
    }
}
