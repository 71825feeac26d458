package org.robber.cli.replicate;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.robber.Storage;
import org.robber.cli.request.ReceivingLimits;

/**
 * A copy that is being written, while the room is watched that the machine wants to keep. Other programs and jobs use up room at the same time, so the check
 * before the first byte is not enough.
 */
record GuardedStorage(Storage target, Path folder, ReceivingLimits limits, AtomicLong unchecked) implements Storage {
    /** Asking the file system for each small piece would cost more than writing it. */
    private static final long BYTES_BETWEEN_CHECKS = 16 << 20;

    GuardedStorage(Storage target, Path folder, ReceivingLimits limits) {
        this(target, folder, limits, new AtomicLong(BYTES_BETWEEN_CHECKS));
    }

    @Override
    public long sizeBytes() {
        return target.sizeBytes();
    }

    @Override
    public void read(long offsetBytes, ByteBuffer into) throws IOException {
        target.read(offsetBytes, into);
    }

    @Override
    public void write(long offsetBytes, ByteBuffer source) throws IOException {
        target.write(offsetBytes, source);
    }

    @Override
    public @Nullable ByteBuffer memory(long offsetBytes, int lengthBytes) {
        return target.memory(offsetBytes, lengthBytes);
    }

    @Override
    public @Nullable FileRange fileRange(long offsetBytes, int lengthBytes) throws IOException {
        return target.fileRange(offsetBytes, lengthBytes);
    }

    @Override
    public byte @Nullable [] verifiedDigest(long offsetBytes, int lengthBytes) {
        return target.verifiedDigest(offsetBytes, lengthBytes);
    }

    @Override
    public void verified(long offsetBytes, int lengthBytes, byte[] digest) throws IOException {
        if (unchecked.addAndGet(lengthBytes) >= BYTES_BETWEEN_CHECKS) {
            unchecked.set(0);
            limits.checkRoom(folder);
        }
        target.verified(offsetBytes, lengthBytes, digest);
    }

    @Override
    public void close() throws IOException {
        target.close();
    }

    @Override
    public String toString() {
        return target.toString();
    }
}
