package org.robber.transport.job;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.robber.Storage;

/** Memory that tells when a share of it has been written. */
final class WatchedStorage implements Storage {
    private final Storage memory;
    private final long whenBytes;
    private final Runnable told;
    private final AtomicBoolean over = new AtomicBoolean();
    private long written;

    WatchedStorage(byte[] bytes, long whenBytes, Runnable told) {
        this.memory = Storage.of(ByteBuffer.wrap(bytes));
        this.whenBytes = whenBytes;
        this.told = told;
    }

    @Override
    public long sizeBytes() {
        return memory.sizeBytes();
    }

    @Override
    public void read(long offsetBytes, ByteBuffer target) throws IOException {
        memory.read(offsetBytes, target);
    }

    @Override
    public void write(long offsetBytes, ByteBuffer source) throws IOException {
        int bytes = source.remaining();
        memory.write(offsetBytes, source);
        synchronized (this) {
            written += bytes;
        }
        if (written >= whenBytes && over.compareAndSet(false, true)) {
            told.run();
        }
    }

    @Override
    public void close() {
        // Memory.
    }
}
