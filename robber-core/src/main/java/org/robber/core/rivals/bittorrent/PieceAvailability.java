package org.robber.core.rivals.bittorrent;

import org.robber.core.piece.PieceSet;
import org.robber.core.random.SeededRandom;

/** How many neighbours offer each piece, and which piece to ask for next. */
final class PieceAvailability {
    /** A node that has fewer pieces asks for anything, to have something to trade soon. */
    static final int PIECES_BEFORE_RAREST = 4;

    private final boolean rarestFirst;
    private final int[] holders;
    private final SeededRandom random;

    PieceAvailability(int pieceCount, boolean rarestFirst, SeededRandom random) {
        this.rarestFirst = rarestFirst;
        this.holders = new int[pieceCount];
        this.random = random;
    }

    void add(int piece) {
        holders[piece]++;
    }

    void removeAll(PieceSet pieces) {
        pieces.forEach(piece -> holders[piece]--);
    }

    /**
     * The piece to ask for, or -1 if there is none.
     *
     * @param askable what may be asked for
     * @param offered what the neighbour has
     * @param possessed how many pieces are here
     */
    int pick(PieceSet askable, PieceSet offered, int possessed) {
        return rarestFirst && possessed >= PIECES_BEFORE_RAREST
                ? rarest(askable.and(offered))
                : askable.randomCommon(offered, random);
    }

    /** One of the rarest, all equally likely. */
    private int rarest(PieceSet candidates) {
        int best = -1;
        int ties = 0;
        for (int piece = candidates.first(); piece >= 0; piece = candidates.nextFrom(piece + 1)) {
            if (best < 0 || holders[piece] < holders[best]) {
                best = piece;
                ties = 1;
            } else if (holders[piece] == holders[best] && random.nextInt(++ties) == 0) {
                best = piece;
            }
        }
        return best;
    }
}
