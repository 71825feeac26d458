package org.robber.core.piece;

import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * A set of pieces that is nearly always empty, and small when it is not: takes no memory beyond its own object until then, and as many steps
 * for a change as there are pieces. A node has two for each peer. Not thread-safe.
 */
public final class FewPieces {
    private static final int[] NONE = {};

    /** In ascending order. */
    private int[] pieces = NONE;

    /** Whether there are none. */
    public boolean isEmpty() {
        return pieces.length == 0;
    }

    /** Whether the piece is one of them. */
    public boolean contains(int piece) {
        return Arrays.binarySearch(pieces, piece) >= 0;
    }

    /** Adds a piece, which may be there already. */
    public void add(int piece) {
        int place = -1 - Arrays.binarySearch(pieces, piece);
        if (place >= 0) {
            int[] more = Arrays.copyOf(pieces, pieces.length + 1);
            System.arraycopy(pieces, place, more, place + 1, pieces.length - place);
            more[place] = piece;
            pieces = more;
        }
    }

    /** Removes a piece; returns whether it was there. */
    public boolean remove(int piece) {
        int place = Arrays.binarySearch(pieces, piece);
        if (place < 0) {
            return false;
        }
        int[] fewer = pieces.length == 1 ? NONE : Arrays.copyOf(pieces, pieces.length - 1);
        System.arraycopy(pieces, place + 1, fewer, place, fewer.length - place);
        pieces = fewer;
        return true;
    }

    /** Removes all. */
    public void clear() {
        pieces = NONE;
    }

    /** Does something with each of the pieces of this moment, smallest first, whatever it adds or removes meanwhile. */
    public void forEach(IntConsumer what) {
        int[] all = pieces;
        for (int piece : all) {
            what.accept(piece);
        }
    }
}
