package org.robber.cli.stream;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;

/** Hands chunks from one thread to another, in order, until there is a failure. Thread-safe. */
public final class ChunkQueue {
    private final Queue<ByteBuffer> chunks = new ArrayDeque<>();
    private @Nullable RobberException failure;

    /** Adds a chunk behind all others. */
    public synchronized void put(ByteBuffer chunk) {
        chunks.add(chunk);
        notifyAll();
    }

    /**
     * Waits for the next chunk.
     *
     * @throws RobberException that was given to {@link #fail}, even if there are chunks
     */
    public synchronized ByteBuffer take() throws InterruptedException {
        while (failure == null && chunks.isEmpty()) {
            wait();
        }
        if (failure != null) {
            throw failure;
        }
        return chunks.remove();
    }

    /** From now on there are no chunks, because of this. The first failure counts. */
    public synchronized void fail(RobberException why) {
        if (failure == null) {
            failure = why;
        }
        notifyAll();
    }
}
