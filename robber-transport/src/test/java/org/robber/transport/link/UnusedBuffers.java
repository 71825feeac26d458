package org.robber.transport.link;

import org.robber.transport.link.piece.PieceBuffers;

/** The buffers that this process keeps for the next transfer: for tests, which must not take them for leaks. */
public final class UnusedBuffers {
    private UnusedBuffers() {}

    /** Frees those that are kept now. */
    public static void free() {
        PieceBuffers.OF_PROCESS.freeAll();
    }
}
