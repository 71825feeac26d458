package org.robber.core.rivals.tree;

import java.util.ArrayDeque;
import java.util.Queue;

/**
 * When the pieces of one stripe are sent to one child at a constant rate. The first is sent at once, and the n-th after it is due n
 * intervals later. A late piece delays no other, so the rate does not drift.
 */
final class SendSchedule {
    private final int toRank;
    private final double pieceNanos;

    /** Requests that are not answered: drivers accept a limited number of them from each peer ({@code UnansweredRequests}). */
    private final Queue<Integer> waiting = new ArrayDeque<>();

    private long startNanos;
    private long sent;

    SendSchedule(int toRank, double pieceNanos) {
        this.toRank = toRank;
        this.pieceNanos = pieceNanos;
    }

    int toRank() {
        return toRank;
    }

    /** The piece is to be sent when it is due. */
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
