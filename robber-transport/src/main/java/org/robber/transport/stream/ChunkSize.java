package org.robber.transport.stream;

/**
 * How large the next chunk of a stream is: about what goes in some seconds, so the beginning and the end of a chunk cost little, and a slow stream does not
 * wait long for a chunk to fill. Not thread-safe.
 */
final class ChunkSize {
    static final int LEAST_BYTES = 8 << 20;

    /** Each node has memory for three chunks. */
    static final int MOST_BYTES = 64 << 20;

    private static final double TARGET_NANOS = 6e9;

    /** A process may have several nodes, each with its chunks. */
    private static final int HEAP_PER_CHUNK = 64;

    private final int mostBytes;
    private int bytes = LEAST_BYTES;

    /** @param heapBytes the largest heap of this process */
    ChunkSize(long heapBytes) {
        this.mostBytes =
                (int) Math.max(LEAST_BYTES, Math.min(MOST_BYTES, Long.highestOneBit(heapBytes / HEAP_PER_CHUNK)));
    }

    /** The size of the next chunk, a power of two. */
    int bytes() {
        return bytes;
    }

    /** Every node has a chunk of so many bytes, so long after the one before. */
    void passed(int chunkBytes, long nanos) {
        double bytesInTime = chunkBytes * TARGET_NANOS / Math.max(1, nanos);
        if (bytesInTime >= 2.0 * bytes) {
            bytes = Math.min(mostBytes, 2 * bytes);
        } else if (bytesInTime < bytes / 2.0) {
            bytes = Math.max(LEAST_BYTES, bytes / 2);
        }
    }
}
