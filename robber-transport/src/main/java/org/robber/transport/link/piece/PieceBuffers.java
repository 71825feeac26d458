package org.robber.transport.link.piece;

import com.google.common.base.Preconditions;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.robber.transport.memory.AlignedMemory;
import org.robber.transport.memory.ReusedMemory;

/**
 * A node's memory budget for pieces on their way, cut into direct buffers of one piece each. Buffers are taken when first
 * needed, and used again. When all are in use, the next caller waits until one comes back. Buffers are given out in the order of the calls: a later piece of
 * a connection must not get the buffer that an earlier one waits for.
 *
 * <p>Buffers with pieces that others may ask for can be kept. They are given out again when there are no others, the oldest first. Thread-safe.
 */
public final class PieceBuffers implements AutoCloseable {
    /** Kept pieces take a part of the budget, so that they cost no more memory than the pieces of a few turns. */
    private static final int KEPT_SHARE = 8;

    /** Where pieces of files are read to. Netty aligns no memory on Java 24 and newer. */
    private static final PooledByteBufAllocator ALIGNED = new PooledByteBufAllocator(
            true,
            0,
            PooledByteBufAllocator.defaultNumDirectArena(),
            PooledByteBufAllocator.defaultPageSize(),
            PooledByteBufAllocator.defaultMaxOrder(),
            PooledByteBufAllocator.defaultSmallCacheSize(),
            PooledByteBufAllocator.defaultNormalCacheSize(),
            PooledByteBufAllocator.defaultUseCacheForAllThreads(),
            PooledByteBufAllocator.isDirectMemoryCacheAlignmentSupported() ? AlignedMemory.ALIGNMENT_BYTES : 0);

    /**
     * Memory of all transfers of this process. Netty's pool returns it to the system as soon as a transfer is over, so up to 64 MiB are kept for the next
     * one.
     */
    public static final ReusedMemory<ByteBuf> OF_PROCESS = new ReusedMemory<>(
            64 << 20, bytes -> ALIGNED.directBuffer(bytes, bytes), ByteBuf::capacity, ByteBuf::release);

    private final int pieceBytes;
    private final int maxBuffers;
    private final ReusedMemory<ByteBuf> source;
    private final ArrayDeque<Buffer> idle = new ArrayDeque<>();
    private final ArrayDeque<Consumer<Lease>> waiting = new ArrayDeque<>();
    /** By piece, the one that was kept first in front. */
    private final Map<Integer, Buffer> kept = new LinkedHashMap<>();

    private int made;
    private boolean keeps;
    private boolean closed;

    /**
     * @param pieceBytes size of a buffer
     * @param budgetBytes how much memory all buffers together may take; two buffers are always allowed, or nothing could
     *     move
     * @param source where the buffers are from
     */
    public PieceBuffers(int pieceBytes, long budgetBytes, ReusedMemory<ByteBuf> source) {
        this.source = source;
        this.pieceBytes = pieceBytes;
        this.maxBuffers = (int) Math.max(2, Math.min(Integer.MAX_VALUE, budgetBytes / pieceBytes));
    }

    /**
     * Refuses a budget that is too small, in words for users. Pieces of automatic size always fit.
     *
     * @throws IllegalArgumentException if the budget has no room for a piece
     */
    public static void checkRoom(int pieceBytes, long budgetBytes) {
        Preconditions.checkArgument(
                pieceBytes <= budgetBytes,
                "pieceBytes: %s, of which memoryBytes has no room for one: %s",
                pieceBytes,
                budgetBytes);
    }

    private static final class Buffer {
        private final ByteBuf bytes;
        /** Leases that are not released. Guarded by the budget. */
        private int users;

        private boolean isKept;

        private Buffer(ByteBuf bytes) {
            this.bytes = bytes;
        }
    }

    /** A buffer in use; to be released once. */
    final class Lease {
        private final Buffer buffer;
        private final AtomicBoolean released = new AtomicBoolean();

        /** Called with the lock of the budget. */
        private Lease(Buffer buffer) {
            this.buffer = buffer;
            buffer.users++;
        }

        /** The whole buffer; valid until the {@link #release}. */
        ByteBuf bytes() {
            return buffer.bytes;
        }

        void release() {
            Preconditions.checkState(released.compareAndSet(false, true), "released too often");
            takeBack(buffer);
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
        Buffer buffer = idle.poll();
        if (buffer == null && (made >= maxBuffers || kept.size() * KEPT_SHARE >= maxBuffers)) {
            buffer = unusedOfKept();
        }
        if (buffer == null && made < maxBuffers) {
            buffer = new Buffer(source.take(pieceBytes).clear());
            made++;
        }
        if (buffer == null) {
            waiting.add(later);
            return null;
        }
        return new Lease(buffer);
    }

    private @Nullable Buffer unusedOfKept() {
        for (Iterator<Buffer> oldest = kept.values().iterator(); oldest.hasNext(); ) {
            Buffer buffer = oldest.next();
            if (buffer.users == 0) {
                oldest.remove();
                buffer.isKept = false;
                buffer.bytes.clear();
                return buffer;
            }
        }
        return null;
    }

    /** From now on buffers are kept. */
    synchronized void startKeeping() {
        keeps = true;
    }

    /** A buffer in use holds this whole piece: it stays readable for a while when it is released, if buffers are kept. */
    synchronized void keep(int piece, Lease lease) {
        if (keeps && !closed && kept.putIfAbsent(piece, lease.buffer) == null) {
            lease.buffer.isKept = true;
        }
    }

    /** The buffer with a kept piece, for reading only; null if there is none any more. */
    synchronized @Nullable Lease kept(int piece) {
        Buffer buffer = closed ? null : kept.get(piece);
        return buffer == null ? null : new Lease(buffer);
    }

    private void takeBack(Buffer buffer) {
        Consumer<Lease> next;
        Lease lease;
        synchronized (this) {
            buffer.users--;
            if (buffer.users > 0) {
                return;
            }
            if (closed) {
                source.giveBack(buffer.bytes);
                return;
            }
            next = waiting.poll();
            if (next == null) {
                if (!buffer.isKept) {
                    buffer.bytes.clear();
                    idle.push(buffer);
                }
                return;
            }
            if (buffer.isKept) {
                kept.values().remove(buffer);
                buffer.isKept = false;
            }
            buffer.bytes.clear();
            lease = new Lease(buffer);
        }
        next.accept(lease);
    }

    /** Gives back the buffers that are not in use, and the others when they come back. */
    @Override
    public synchronized void close() {
        closed = true;
        waiting.clear();
        idle.forEach(buffer -> source.giveBack(buffer.bytes));
        idle.clear();
        kept.values().stream().filter(buffer -> buffer.users == 0).forEach(buffer -> source.giveBack(buffer.bytes));
        kept.clear();
    }
}
