package org.robber.core.node;

import static com.google.common.base.Preconditions.checkElementIndex;

import org.jspecify.annotations.Nullable;
import org.robber.core.piece.PieceSet;

/**
 * Finds the pieces whose last copy is gone, from what all nodes say: those that every node that is left lacks. It can tell
 * only when each of these nodes has everything or has starved since the last loss; until then, pieces may be on their
 * way. For whoever hears of all nodes, such as rank 0. Not thread-safe.
 */
public final class LastCopies {
    private final int pieceCount;

    /** What each node lacks, as long as it starves; null of those that may still get something. */
    private final @Nullable PieceSet[] lacked;

    private final boolean[] lost;

    /** No node has anything to say yet. */
    public LastCopies(int nodes, int pieceCount) {
        this.pieceCount = pieceCount;
        this.lacked = new @Nullable PieceSet[nodes];
        this.lost = new boolean[nodes];
    }

    /** The node has said that it starves ({@link Action.Starved}). */
    public void starved(int rank, PieceSet pieces) {
        lacked[checkElementIndex(rank, lacked.length)] = pieces.copy();
    }

    /** The node has everything. */
    public void completed(int rank) {
        lacked[checkElementIndex(rank, lacked.length)] = PieceSet.empty(pieceCount);
    }

    /** A piece has come to the node: it does not starve any more. */
    public void progressed(int rank) {
        PieceSet before = lacked[checkElementIndex(rank, lacked.length)];
        if (before != null && !before.isEmpty()) {
            lacked[rank] = null;
        }
    }

    /** The node is gone for good. What others said before counts no more: what it gave them last may be on its way. */
    public void lost(int rank) {
        lost[checkElementIndex(rank, lacked.length)] = true;
        for (int other = 0; other < lacked.length; other++) {
            progressed(other);
        }
    }

    /** The node takes part again. */
    public void returned(int rank) {
        lost[checkElementIndex(rank, lacked.length)] = false;
        lacked[rank] = null;
    }

    /** The pieces that nobody possesses any more; none as long as that can't be told. A new set. */
    public PieceSet gone() {
        PieceSet gone = PieceSet.full(pieceCount);
        boolean anybodyIsLeft = false;
        for (int rank = 0; rank < lacked.length; rank++) {
            if (!lost[rank]) {
                PieceSet its = lacked[rank];
                if (its == null) {
                    return PieceSet.empty(pieceCount);
                }
                gone.retainAll(its);
                anybodyIsLeft = true;
            }
        }
        return anybodyIsLeft ? gone : PieceSet.empty(pieceCount);
    }
}
