package org.robber;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes that depend on their position, in a mebibyte of memory. Each write is compared with the pattern, and counted. The sum of two patterns has the sum of their steps
 * and seeds.
 */
public class PatternStorage implements Storage {
    /** A byte has the value of any other that is at the same position modulo this. */
    public static final int PERIOD_BYTES = 65_521;

    private final long sizeBytes;
    private final ByteBuffer row = ByteBuffer.allocate(PERIOD_BYTES + (1 << 20));
    private final AtomicLong written = new AtomicLong();

    public PatternStorage(long sizeBytes, long seed) {
        this(sizeBytes, 31, seed);
    }

    public PatternStorage(long sizeBytes, long step, long seed) {
        this.sizeBytes = sizeBytes;
        for (int i = 0; i < row.capacity(); i++) {
            row.put(i, (byte) (i % PERIOD_BYTES * step + seed));
        }
    }

    @Override
    public long sizeBytes() {
        return sizeBytes;
    }

    /** How many bytes were written so far, each as the pattern has it. */
    public long writtenBytes() {
        return written.get();
    }

    /** The bytes from this offset on, at most so many. */
    private ByteBuffer at(long offsetBytes, int bytes) {
        return row.slice((int) (offsetBytes % PERIOD_BYTES), Math.min(bytes, row.capacity() - PERIOD_BYTES));
    }

    @Override
    public void read(long offsetBytes, ByteBuffer target) {
        for (long at = offsetBytes; target.hasRemaining(); ) {
            ByteBuffer some = at(at, target.remaining());
            at += some.remaining();
            target.put(some);
        }
    }

    @Override
    public void write(long offsetBytes, ByteBuffer source) {
        for (long at = offsetBytes; source.hasRemaining(); ) {
            ByteBuffer some = at(at, source.remaining());
            int bytes = some.remaining();
            if (!some.equals(source.slice(source.position(), bytes))) {
                throw new IllegalStateException("wrong bytes at " + at);
            }
            source.position(source.position() + bytes);
            written.addAndGet(bytes);
            at += bytes;
        }
    }

    @Override
    public void close() {}
}
