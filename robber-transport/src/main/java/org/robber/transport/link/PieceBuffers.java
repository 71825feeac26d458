package org.robber.transport.link;

import com.google.common.base.Preconditions;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A node's memory budget for pieces on their way, cut into direct buffers of one piece each. Buffers are taken from Netty's pool when first
 * needed, and used again. When all are in use, the next caller waits until one comes back. Buffers are given out in the order of the calls: a later piece of
 * a connection must not get the buffer that an earlier one waits for. Thread-safe.
 */
final class PieceBuffers implements AutoCloseable {
    private final int pieceBytes;
    private final int maxBuffers;
    private final ArrayDeque<ByteBuf> idle = new ArrayDeque<>();
    private final ArrayDeque<Consumer<Lease>> waiting = new ArrayDeque<>();
    private int made;
    private boolean closed;

    /**
     * @param pieceBytes size of a buffer
     * @param budgetBytes how much memory all buffers together may take; two buffers are always allowed, or nothing could
     *     move
     */
    PieceBuffers(int pieceBytes, long budgetBytes) {
        this.pieceBytes = pieceBytes;
        this.maxBuffers = (int) Math.max(2, Math.min(Integer.MAX_VALUE, budgetBytes / pieceBytes));
    }

    /** A buffer in use; to be released once. */
    final class Lease {
        private final ByteBuf bytes;
        private final AtomicBoolean released = new AtomicBoolean();

        private Lease(ByteBuf bytes) {
            this.bytes = bytes;
        }

        /** The whole buffer; valid until the {@link #release}. */
        ByteBuf bytes() {
            return bytes;
        }

        void release() {
            Preconditions.checkState(released.compareAndSet(false, true), "released too often");
            takeBack(bytes);
        }
    }

    /**
     * A buffer now, or null. Then the consumer gets one later, on the thread that gives it back, after all earlier callers; or never, after
     * the close.
     */
    synchronized @Nullable Lease take(Consumer<Lease> later) {
        if (closed) {
            return null;
        }
        ByteBuf bytes = idle.poll();
        if (bytes == null && made < maxBuffers) {
            bytes = PooledByteBufAllocator.DEFAULT.directBuffer(pieceBytes, pieceBytes);
            made++;
        }
        if (bytes == null) {
            waiting.add(later);
            return null;
        }
        return new Lease(bytes);
    }

    private void takeBack(ByteBuf bytes) {
        Consumer<Lease> next;
        synchronized (this) {
            if (closed) {
                bytes.release();
                return;
            }
            bytes.clear();
            next = waiting.poll();
            if (next == null) {
                idle.push(bytes);
            }
        }
        if (next != null) {
            next.accept(new Lease(bytes));
        }
    }

    /** Frees the idle buffers; those still in use are freed when they come back. */
    @Override
    public synchronized void close() {
        closed = true;
        waiting.clear();
        idle.forEach(ByteBuf::release);
        idle.clear();
    }
}
