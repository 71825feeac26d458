package org.robber.transport.link.piece;

import org.jspecify.annotations.Nullable;
import org.robber.transport.manifest.DigestTable;

/** The digests of one multicast's pieces as storage threads and connections learn them. Thread-safe. */
public final class PieceDigests {
    private final DigestTable table;
    private final Runnable complete;

    /** @param complete run once, when the last digest is added */
    public PieceDigests(DigestTable table, Runnable complete) {
        this.table = table;
        this.complete = complete;
    }

    /** The digest of this piece, or null if it isn't known yet. */
    synchronized byte @Nullable [] get(int piece) {
        return table.known().contains(piece) ? table.get(piece) : null;
    }

    /** How many digests are known. */
    public synchronized int knownCount() {
        return table.known().size();
    }

    /** The first piece from this one on whose digest isn't known; the number of pieces if there is none. */
    synchronized int nextUnknownFrom(int piece) {
        return table.known().nextMissingFrom(piece);
    }

    /** Adds a digest; the first one of a piece stays. Returns the one that is known from now on. */
    byte[] learn(int piece, byte[] digest) {
        synchronized (this) {
            if (table.known().contains(piece)) {
                return table.get(piece);
            }
            table.set(piece, digest);
            if (!table.known().isFull()) {
                return digest;
            }
        }
        complete.run();
        return digest;
    }
}
