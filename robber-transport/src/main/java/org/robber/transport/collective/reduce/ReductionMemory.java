package org.robber.transport.collective.reduce;

import java.nio.ByteBuffer;
import org.robber.transport.memory.ReusedMemory;

/** Memory of all reductions of this process, for pieces that are not the user's. */
public final class ReductionMemory {
    /**
     * So much is kept while no calls are made: 6 products of 4 MiB, with inputs of 8 mates, need 200 MiB. The collector frees the rest, too late for long calls: these
     * then wait for new memory.
     */
    private static final int MOST_KEPT_BYTES = 256 << 20;

    public static final ReusedMemory<ByteBuffer> OF_PROCESS =
            new ReusedMemory<>(MOST_KEPT_BYTES, ByteBuffer::allocateDirect, ByteBuffer::capacity, buffer -> {});

    private ReductionMemory() {}

    /** Gives up what nobody uses, at the end of a job. */
    public static void freeAll() {
        OF_PROCESS.freeAll();
    }
}
