package org.robber.core.node;

import static com.google.common.base.Preconditions.checkElementIndex;

import org.jspecify.annotations.Nullable;
import org.robber.core.piece.PieceSet;

/**
 * Finds the pieces whose last copy is lost, from the reports of all nodes: the pieces that every living node lacks. It can tell
 * only when each of these nodes has everything or has starved since the last loss; until then, pieces may be on their
 * way. Used where the reports of all nodes arrive: at rank 0 and in the simulator. Not thread-safe.
 */
public final class LostPieces {
    private final int pieceCount;

    /** What each node lacks, as long as it starves; null of those that may still get something. */
    private final @Nullable PieceSet[] lacked;

    private final boolean[] lost;

    /** No node has reported anything. */
    public LostPieces(int nodes, int pieceCount) {
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

    /** The pieces that no node possesses any more; empty until that is certain. A new set. */
    public PieceSet lostEverywhere() {
        PieceSet lostEverywhere = PieceSet.full(pieceCount);
        boolean anyNodeIsLeft = false;
        for (int rank = 0; rank < lacked.length; rank++) {
            if (!lost[rank]) {
                PieceSet nodeLacks = lacked[rank];
                if (nodeLacks == null) {
                    return PieceSet.empty(pieceCount);
                }
                lostEverywhere.retainAll(nodeLacks);
                anyNodeIsLeft = true;
            }
        }
        return anyNodeIsLeft ? lostEverywhere : PieceSet.empty(pieceCount);
    }
}
