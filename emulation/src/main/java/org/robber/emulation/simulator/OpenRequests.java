package org.robber.emulation.simulator;

import java.util.Arrays;
import org.robber.core.piece.SmallPieceSet;

/** The requests that a node has outstanding at one peer, with their times, and what it took back of them. */
final class OpenRequests {
    private static final int FIRST_LENGTH = 4;

    private int[] pieces = new int[FIRST_LENGTH];
    private long[] sinceNanos = new long[FIRST_LENGTH];
    private int size;

    /** What was asked and then taken back, which may come all the same. */
    SmallPieceSet recalled = SmallPieceSet.NONE;

    /** What was taken back and has come, before that or after, without the node, busy or stopped, having heard of it yet. */
    SmallPieceSet unheard = SmallPieceSet.NONE;

    int size() {
        return size;
    }

    int piece(int index) {
        return pieces[index];
    }

    long sinceNanos(int index) {
        return sinceNanos[index];
    }

    void add(int piece, long nowNanos) {
        if (size == pieces.length) {
            pieces = Arrays.copyOf(pieces, 2 * size);
            sinceNanos = Arrays.copyOf(sinceNanos, 2 * size);
        }
        pieces[size] = piece;
        sinceNanos[size++] = nowNanos;
    }

    /** Forgets a request; returns whether it was there. */
    boolean remove(int piece) {
        for (int i = 0; i < size; i++) {
            if (pieces[i] == piece) {
                size--;
                System.arraycopy(pieces, i + 1, pieces, i, size - i);
                System.arraycopy(sinceNanos, i + 1, sinceNanos, i, size - i);
                return true;
            }
        }
        return false;
    }
}
