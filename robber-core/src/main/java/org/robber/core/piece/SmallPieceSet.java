package org.robber.core.piece;

import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * A set of pieces that is nearly always empty, and small when it is not: all empty ones are the same object, and a change takes as many steps
 * as there are pieces. Each node keeps several for each peer. Immutable.
 */
public final class SmallPieceSet {
    /** Without any. */
    public static final SmallPieceSet NONE = new SmallPieceSet(new int[0]);

    /** In ascending order. */
    private final int[] pieces;

    private SmallPieceSet(int[] pieces) {
        this.pieces = pieces;
    }

    /** How many there are. */
    public int size() {
        return pieces.length;
    }

    /** Whether there are none. */
    public boolean isEmpty() {
        return pieces.length == 0;
    }

    /** Whether the piece is one of them. */
    public boolean contains(int piece) {
        return Arrays.binarySearch(pieces, piece) >= 0;
    }

    /** These and one more, which may be among them already. */
    public SmallPieceSet with(int piece) {
        int place = -1 - Arrays.binarySearch(pieces, piece);
        if (place < 0) {
            return this;
        }
        int[] more = Arrays.copyOf(pieces, pieces.length + 1);
        System.arraycopy(pieces, place, more, place + 1, pieces.length - place);
        more[place] = piece;
        return new SmallPieceSet(more);
    }

    /** These but for one, which need not be among them. */
    public SmallPieceSet without(int piece) {
        int place = Arrays.binarySearch(pieces, piece);
        if (place < 0) {
            return this;
        }
        if (pieces.length == 1) {
            return NONE;
        }
        int[] fewer = Arrays.copyOf(pieces, pieces.length - 1);
        System.arraycopy(pieces, place + 1, fewer, place, fewer.length - place);
        return new SmallPieceSet(fewer);
    }

    /** Does something with each of the pieces, smallest first. */
    public void forEach(IntConsumer what) {
        for (int piece : pieces) {
            what.accept(piece);
        }
    }
}
