package org.robber.transport.link;

import com.google.common.base.Preconditions;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A node's memory budget for pieces on their way, cut into direct buffers of one piece each. Buffers are made when first
 * needed and used again; when all are out, whoever asks has to wait until one comes back. Thread-safe.
 */
final class PieceBuffers implements AutoCloseable {
    private final int pieceBytes;
    private final int maxBuffers;
    private final ArrayDeque<ByteBuf> idle = new ArrayDeque<>();
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
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

    /** A buffer in use. Whoever holds it releases it once; a holder may retain it for another. */
    final class Lease {
        private final ByteBuf bytes;
        private final AtomicInteger holders = new AtomicInteger(1);

        private Lease(ByteBuf bytes) {
            this.bytes = bytes;
        }

        /** The whole buffer; valid until the last {@link #release}. */
        ByteBuf bytes() {
            return bytes;
        }

        Lease retain() {
            Preconditions.checkState(holders.getAndIncrement() > 0, "retained after its release");
            return this;
        }

        void release() {
            int left = holders.decrementAndGet();
            Preconditions.checkState(left >= 0, "released too often");
            if (left == 0) {
                takeBack(bytes);
            }
        }
    }

    /** A buffer, or null if all are in use, or none is given out any more. */
    synchronized @Nullable Lease tryTake() {
        if (closed) {
            return null;
        }
        ByteBuf bytes = idle.poll();
        if (bytes == null && made < maxBuffers) {
            made++;
            bytes = Unpooled.directBuffer(pieceBytes, pieceBytes);
        }
        return bytes == null ? null : new Lease(bytes);
    }

    /** Runs the task once when a buffer may be had again, from whatever thread gives it back; never after the close. */
    void whenAvailable(Runnable task) {
        synchronized (this) {
            if (closed) {
                return;
            }
            if (idle.isEmpty() && made == maxBuffers) {
                waiting.add(task);
                return;
            }
        }
        task.run();
    }

    private void takeBack(ByteBuf bytes) {
        Runnable next;
        synchronized (this) {
            if (closed) {
                bytes.release();
                return;
            }
            idle.push(bytes.clear());
            next = waiting.poll();
        }
        if (next != null) {
            next.run();
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
