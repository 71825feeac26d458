package org.robber.transport.stream;

import org.robber.StreamOptions;

/**
 * How large the next chunk of a stream is: about what goes in some seconds, so the beginning and the end of a chunk cost little, and a slow stream does not
 * wait long for a chunk to fill. Not thread-safe.
 */
final class ChunkSize {
    static final int LEAST_BYTES = 8 << 20;

    /** A reader has two that are under way, and one that is being read. */
    static final int CHUNKS_PER_WINDOW = 3;

    static final int MOST_BYTES = 64 << 20;

    private static final double TARGET_NANOS = 6e9;

    /** A process may have several nodes, each with its chunks. */
    private static final int HEAP_PER_CHUNK = 64;

    private final int leastBytes;
    private final int mostBytes;
    private final boolean isOfWindow;
    private int bytes;

    private ChunkSize(int leastBytes, int mostBytes, boolean isOfWindow) {
        this.leastBytes = leastBytes;
        this.mostBytes = mostBytes;
        this.isOfWindow = isOfWindow;
        this.bytes = leastBytes;
    }

    /** As the options say: by their window, or else by the heap of this process. */
    static ChunkSize of(StreamOptions options) {
        return options.windowBytes() == 0 ? ofHeap(Runtime.getRuntime().maxMemory()) : ofWindow(options.windowBytes());
    }

    /** @param heapBytes the largest heap of this process */
    static ChunkSize ofHeap(long heapBytes) {
        return new ChunkSize(
                LEAST_BYTES,
                (int) Math.max(LEAST_BYTES, Math.min(MOST_BYTES, Long.highestOneBit(heapBytes / HEAP_PER_CHUNK))),
                false);
    }

    /** @param windowBytes for all chunks of a node, at most three of {@link #MOST_BYTES} */
    static ChunkSize ofWindow(long windowBytes) {
        int most = (int) (windowBytes / CHUNKS_PER_WINDOW);
        return new ChunkSize(Math.min(LEAST_BYTES, most), most, true);
    }

    /** Memory for a new chunk. With a window it is for the largest one: memory that a chunk has outgrown would be garbage beside the window. */
    int roomBytes() {
        return isOfWindow ? mostBytes : bytes;
    }

    /** The size of the next chunk. */
    int bytes() {
        return bytes;
    }

    /** Every node has a chunk of so many bytes, so long after the one before. */
    void passed(int chunkBytes, long nanos) {
        double bytesInTime = chunkBytes * TARGET_NANOS / Math.max(1, nanos);
        if (bytesInTime >= 2.0 * bytes) {
            bytes = Math.min(mostBytes, 2 * bytes);
        } else if (bytesInTime < bytes / 2.0) {
            bytes = Math.max(leastBytes, bytes / 2);
        }
    }
}
