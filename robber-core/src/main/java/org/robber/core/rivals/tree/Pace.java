package org.robber.core.rivals.tree;

import java.util.ArrayDeque;
import java.util.Queue;

/**
 * When the pieces of one stripe leave for one child: the first at once, and each at its time after that, whatever became
 * of those before it. So the rate doesn't drift.
 */
final class Pace {
    private final int toRank;
    private final double pieceNanos;
    private final Queue<Integer> waiting = new ArrayDeque<>();
    private long startNanos;
    private long sent;

    Pace(int toRank, double pieceNanos) {
        this.toRank = toRank;
        this.pieceNanos = pieceNanos;
    }

    int toRank() {
        return toRank;
    }

    /** The piece may leave, as soon as it is due. */
    void add(int piece) {
        waiting.add(piece);
    }

    void remove(int piece) {
        waiting.remove(piece);
    }

    void clear() {
        waiting.clear();
    }

    /** When the next piece is due; {@link Long#MAX_VALUE} if none waits. */
    long dueNanos(long nowNanos) {
        if (waiting.isEmpty()) {
            return Long.MAX_VALUE;
        }
        return sent == 0 ? nowNanos : startNanos + (long) (sent * pieceNanos);
    }

    /** Takes the next piece, which leaves now. */
    int take(long nowNanos) {
        if (sent == 0) {
            startNanos = nowNanos;
        }
        sent++;
        return waiting.remove();
    }
}
