package org.robber.transport.link.piece;

import java.util.concurrent.CompletableFuture;

/**
 * Counts what writes to the storage of a transfer. A buffer belongs to the program again once the call has ended, so nothing may be
 * written then. Thread-safe.
 */
public final class WritesUnderWay {
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private int count;
    private boolean closed;

    /** Something is about to write. Returns whether it may: if so, {@link #end} has to follow. */
    public synchronized boolean begin() {
        if (!closed) {
            count++;
        }
        return !closed;
    }

    /** A write that is under way begins another, which has to {@link #end}, too. */
    synchronized void alsoBegin() {
        count++;
    }

    /** A write that has begun is over. */
    public void end() {
        if (endsLast()) {
            over.complete(null);
        }
    }

    private synchronized boolean endsLast() {
        count--;
        return closed && count == 0;
    }

    /** Nothing begins to write any more. Returns what completes when nothing writes. */
    public CompletableFuture<Void> close() {
        if (closedWithoutAny()) {
            over.complete(null);
        }
        return over.copy();
    }

    private synchronized boolean closedWithoutAny() {
        closed = true;
        return count == 0;
    }
}
