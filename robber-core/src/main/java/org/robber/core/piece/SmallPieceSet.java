package org.robber.core.piece;

import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * An immutable set of few pieces, and usually of none. All empty sets are the same object. A change takes time in proportion to the
 * size. Each node keeps several for each peer.
 */
public final class SmallPieceSet {
    /** The empty set. */
    public static final SmallPieceSet NONE = new SmallPieceSet(new int[0]);

    /** In ascending order. */
    private final int[] pieces;

    private SmallPieceSet(int[] pieces) {
        this.pieces = pieces;
    }

    /** The number of pieces. */
    public int size() {
        return pieces.length;
    }

    /** Whether the set is empty. */
    public boolean isEmpty() {
        return pieces.length == 0;
    }

    /** Whether the piece is in the set. */
    public boolean contains(int piece) {
        return Arrays.binarySearch(pieces, piece) >= 0;
    }

    /** Returns this set with {@code piece} added. */
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

    /** Returns this set with {@code piece} removed. */
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

    /** Calls the consumer with each piece, smallest first. */
    public void forEach(IntConsumer what) {
        for (int piece : pieces) {
            what.accept(piece);
        }
    }
}
