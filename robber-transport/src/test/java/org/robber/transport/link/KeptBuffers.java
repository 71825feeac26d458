package org.robber.transport.link;

/** The buffers that this process keeps for the next transfer: for tests, which must not take them for leaks. */
public final class KeptBuffers {
    private KeptBuffers() {}

    /** Frees those that are kept now. */
    public static void free() {
        RecycledBuffers.ofProcess().freeAll();
    }
}
