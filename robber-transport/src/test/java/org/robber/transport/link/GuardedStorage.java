package org.robber.transport.link;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import org.robber.Storage;

/** A storage that does something before each read and write, such as to fail. */
public record GuardedStorage(Storage memory, Guard guard) implements Storage {
    /** Passes, or fails. */
    public interface Guard {
        void pass() throws IOException;
    }

    /** Like a file on a server that is gone, until the end. */
    public static Runnable stuckUntil(CountDownLatch end) {
        return () -> {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
    }

    @Override
    public long sizeBytes() {
        return memory.sizeBytes();
    }

    @Override
    public void read(long offsetBytes, ByteBuffer target) throws IOException {
        guard.pass();
        memory.read(offsetBytes, target);
    }

    @Override
    public void write(long offsetBytes, ByteBuffer source) throws IOException {
        guard.pass();
        memory.write(offsetBytes, source);
    }

    @Override
    public void close() throws IOException {
        memory.close();
    }
}
