package org.robber.transport.mesh;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Consumer;
import org.robber.core.wire.WireError;
import org.robber.core.wire.WireException;

/**
 * A queue of frames from one process to another, in memory that both map. The reader says in it whether it polls; if it does not, the writer is to ring. One
 * thread at a time may write, and one at a time read.
 *
 * <pre>{@code
 *   0     u64 bytes ever written, by the writer
 *   128   u64 bytes ever read, by the reader
 *   256   u32 1 while the reader polls, else 0; by the reader
 *   260   u32 1 from when the writer rings until the reader answers, else 0
 *   264   u32 1 once the reader has the memory; by the reader
 *   384   frames: u32 length or SKIP, frame; each begins at a multiple of 8 bytes
 * }</pre>
 *
 * <p>Numbers are in the order of the machine's bytes. A frame that does not fit before the end begins at 384 again, after a SKIP.
 */
final class SharedRing {
    private static final int FRAMES_BYTES = 1 << 17;

    private static final int WRITTEN_AT = 0;
    private static final int READ_AT = 128;
    private static final int POLLED_AT = 256;
    private static final int RUNG_AT = 260;
    private static final int OPEN_AT = 264;
    static final int FRAMES_AT = 384;

    /** What a ring takes. */
    static final int BYTES = FRAMES_AT + FRAMES_BYTES;

    private static final int SKIP = -1;

    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private final ByteBuffer memory;
    private boolean isOpen;
    private long written;
    private long read;

    /** @param memory {@value #BYTES} bytes, which were zero when the first of the two processes mapped them */
    SharedRing(ByteBuffer memory) {
        this.memory = memory.slice().order(ByteOrder.nativeOrder());
    }

    /** The reader has the memory, and will answer when the writer rings. */
    void open() {
        INT.setVolatile(memory, OPEN_AT, 1);
    }

    /** Writes a frame if it fits and the reader has the memory; returns whether that is so. */
    boolean offer(ByteBuffer frame) {
        if (!isOpen) {
            isOpen = (int) INT.getVolatile(memory, OPEN_AT) != 0;
            if (!isOpen) {
                return false;
            }
        }
        int bytes = frame.remaining();
        long slot = slotBytes(bytes);
        int at = place(written);
        long skipped = FRAMES_BYTES - at < slot ? FRAMES_BYTES - at : 0;
        long used = written - (long) LONG.getAcquire(memory, READ_AT);
        if (skipped + slot > FRAMES_BYTES - used) {
            return false;
        }
        if (skipped > 0) {
            memory.putInt(FRAMES_AT + at, SKIP);
            at = 0;
        }
        memory.putInt(FRAMES_AT + at, bytes);
        memory.put(FRAMES_AT + at + Integer.BYTES, frame, frame.position(), bytes);
        written += skipped + slot;
        LONG.setVolatile(memory, WRITTEN_AT, written);
        return true;
    }

    /** Whether the writer is to wake the reader: it does not poll, and was not rung for before. */
    boolean rings() {
        return (int) INT.getVolatile(memory, POLLED_AT) == 0 && (int) INT.getAndSet(memory, RUNG_AT, 1) == 0;
    }

    /** The reader has been woken, and reads what was written before. */
    void answer() {
        INT.setVolatile(memory, RUNG_AT, 0);
    }

    /** The reader polls from now on, or no longer. It is to read once more after it has said that it does not. */
    void setPolled(boolean polled) {
        INT.setVolatile(memory, POLLED_AT, polled ? 1 : 0);
    }

    /** Whether there is nothing to read. Any thread may ask. */
    boolean isEmpty() {
        return (long) LONG.getVolatile(memory, WRITTEN_AT) == (long) LONG.getVolatile(memory, READ_AT);
    }

    /**
     * Tells of the frames that there are; returns whether there was one.
     *
     * @param frames gets each frame in the memory of the ring, and must not keep it
     * @throws WireException if the memory holds something else
     */
    boolean read(Consumer<ByteBuffer> frames) {
        long end = (long) LONG.getVolatile(memory, WRITTEN_AT);
        if (end == read) {
            return false;
        }
        check(end - read > 0 && end - read <= FRAMES_BYTES && end % Long.BYTES == 0);
        while (read != end) {
            int at = place(read);
            int bytes = memory.getInt(FRAMES_AT + at);
            long taken = bytes == SKIP ? FRAMES_BYTES - at : slotBytes(bytes);
            check(bytes >= SKIP && taken <= Math.min(FRAMES_BYTES - at, end - read));
            if (bytes != SKIP) {
                frames.accept(memory.slice(FRAMES_AT + at + Integer.BYTES, bytes));
            }
            read += taken;
        }
        LONG.setRelease(memory, READ_AT, read);
        return true;
    }

    private static int place(long count) {
        return (int) (count & (FRAMES_BYTES - 1));
    }

    private static long slotBytes(long frameBytes) {
        return (Integer.BYTES + frameBytes + Long.BYTES - 1) & -Long.BYTES;
    }

    private static void check(boolean holds) {
        if (!holds) {
            throw new WireException(WireError.MALFORMED, "the shared memory holds no frames");
        }
    }
}
