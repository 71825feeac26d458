package org.robber.transport.collective;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/**
 * Memory outside of the heap for pieces of reductions, kept from call to call: new memory costs a page fault for each page. Of pieces of another size
 * than that of the last call nothing is kept. Thread-safe.
 */
final class PieceMemory {
    /** A communicator that makes no calls holds no more than that. */
    static final int MOST_KEPT_BYTES = 64 << 20;

    private final ArrayDeque<ByteBuffer> kept = new ArrayDeque<>();

    /** A buffer of this size, with any contents. */
    synchronized ByteBuffer take(int bytes) {
        ByteBuffer last = kept.peekLast();
        if (last != null && last.capacity() != bytes) {
            kept.clear();
            last = null;
        }
        return last == null
                ? ByteBuffer.allocateDirect(bytes)
                : kept.removeLast().clear();
    }

    /** Nobody uses the buffer any more. */
    synchronized void giveBack(ByteBuffer buffer) {
        ByteBuffer last = kept.peekLast();
        boolean fits = last == null || last.capacity() == buffer.capacity();
        if (fits && (kept.size() + 1L) * buffer.capacity() <= MOST_KEPT_BYTES) {
            kept.add(buffer);
        }
    }
}
