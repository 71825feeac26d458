package org.robber.transport.link.piece;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.robber.Storage;
import org.robber.core.driver.ExpectedAnswers;
import org.robber.core.node.Event;
import org.robber.core.piece.PieceLayout;
import org.robber.core.protocol.Message.PieceBlock;
import org.robber.transport.digest.PieceHasher;
import org.robber.transport.link.frame.BlockPlace;
import org.robber.transport.link.frame.BlockReader;
import org.robber.transport.link.pace.SendWindow;
import org.robber.transport.link.piece.PieceBuffers.Lease;

/**
 * Gathers the blocks of requested pieces, each at its place, until a piece is whole. Only a piece that was requested from the sender is
 * taken, so that nothing can overwrite verified bytes.
 *
 * <p>A piece may be requested from several peers: in an end game, or because one of them has stalled. Each sends at its own pace. The
 * {@link PieceKeeper} keeps the first one that is whole and right, and the bytes of the others are dropped. Thread-safe.
 */
public final class PieceIntake {
    private final PieceLayout layout;
    private final Storage storage;
    private final PieceBuffers buffers;
    private final Executor storageThreads;
    private final boolean isInMemory;
    private final PieceKeeper keeper;
    private final WritesUnderWay writes;

    /** Its lock guards all arrivals. */
    private final ExpectedAnswers<Arrival> arrivals = new ExpectedAnswers<>(Arrival::new);

    /** They wait for a buffer, or did. Guarded by the lock of the arrivals. */
    private final Set<BlockReader> waiting = new HashSet<>();

    private boolean closed;

    public PieceIntake(
            PieceLayout layout,
            Storage storage,
            PieceHasher hasher,
            PieceDigests digests,
            PieceBuffers buffers,
            Executor storageThreads,
            WritesUnderWay writes,
            Consumer<Event> node,
            Consumer<Throwable> failed) {
        this.layout = layout;
        this.storage = storage;
        this.buffers = buffers;
        this.storageThreads = storageThreads;
        this.isInMemory = storage.isInMemory();
        this.writes = writes;
        this.keeper = new PieceKeeper(
                layout, storage, hasher, digests, buffers, arrivals, storageThreads, writes, node, failed);
    }

    /** The piece was requested from this peer, and perhaps from others. */
    public void expect(int piece, int fromNumber) {
        synchronized (arrivals) {
            if (!closed) {
                Arrival arrival = arrivals.requested(piece, fromNumber);
                arrival.isDuplicate |= keeper.isKept(piece) && !arrival.isReceived() && !arrival.isGathered();
            }
        }
    }

    /** The request was cancelled; the piece may be on its way. */
    public void cancel(int piece, int fromNumber) {
        synchronized (arrivals) {
            arrivals.cancelled(piece, fromNumber);
        }
    }

    /** Whether requests to the peer are unanswered. */
    public boolean isOwedBy(int fromNumber) {
        synchronized (arrivals) {
            return arrivals.outstandingAt(fromNumber) > 0;
        }
    }

    /** The peer will not send the piece. */
    public void forget(int piece, int fromNumber) {
        Arrival refused;
        synchronized (arrivals) {
            refused = arrivals.find(piece, fromNumber);
            if (refused == null || refused.isReceived()) {
                return;
            }
            arrivals.remove(refused);
        }
        abandon(refused);
    }

    /** The peer will send nothing more. */
    public void forgetAllFrom(int fromNumber) {
        List<Arrival> lost;
        synchronized (arrivals) {
            lost = arrivals.removeIf(arrival -> arrival.fromRank() == fromNumber && !arrival.isReceived());
        }
        lost.forEach(this::abandon);
    }

    /** Until its reader has left, the bytes of the arrival may be written to the memory of the storage. */
    private void abandon(Arrival arrival) {
        boolean counted = writes.begin();
        arrival.abandon(() -> {
            if (counted) {
                writes.end();
            }
        });
    }

    /** Decides where the bytes of this block go. */
    public BlockPlace placeFor(int fromNumber, PieceBlock block, BlockReader reader) {
        if (block.lengthBytes() > layout.lengthBytes(block.piece()) - block.offsetBytes()) {
            return BlockPlace.DISCARD;
        }
        synchronized (arrivals) {
            Arrival arrival = arrivals.find(block.piece(), fromNumber);
            if (arrival == null) {
                return BlockPlace.DISCARD;
            }
            if (!arrival.isDuplicate) {
                return placeFor(arrival, block, reader);
            }
            arrivals.remove(arrival);
        }
        keeper.reportDuplicate(block.piece(), fromNumber);
        return BlockPlace.DISCARD;
    }

    private BlockPlace placeFor(Arrival arrival, PieceBlock block, BlockReader reader) {
        // A piece that was cancelled and requested again may come twice at a time, over two connections.
        if (arrival.isReceived()
                || arrival.isGatheredByOther(reader)
                || arrival.receivedBytes() != block.offsetBytes()) {
            return BlockPlace.DISCARD;
        }
        ByteBuf bytes = arrival.bytes();
        if (bytes == null) {
            bytes = newPlace(arrival, reader);
        }
        if (bytes == null) {
            waiting.add(reader);
            return BlockPlace.WAIT;
        }
        waiting.remove(reader);
        arrival.gather(bytes, reader);
        return BlockPlace.in(bytes);
    }

    /** The storage's own memory, if no other reader writes there, or a buffer; null if there is none yet. */
    private @Nullable ByteBuf newPlace(Arrival arrival, BlockReader reader) {
        // An arrival keeps the buffer that it was lent: others take one without a buffer for one in the storage's
        // memory.
        ByteBuf lent = arrival.lent();
        if (lent != null) {
            return lent;
        }
        ByteBuffer memory = storage.memory(layout.offsetBytes(arrival.piece()), layout.lengthBytes(arrival.piece()));
        if (memory != null
                && memory.isDirect()
                && arrivals.of(arrival.piece()).stream().noneMatch(Arrival::isInPlace)) {
            return Unpooled.wrappedBuffer(memory).clear();
        }
        Lease lease = buffers.take(later -> granted(arrival, later, reader));
        if (lease == null) {
            return null;
        }
        arrival.lend(lease);
        return arrival.lent();
    }

    /** There is a buffer for an arrival that has waited for one. */
    private void granted(Arrival arrival, Lease lease, BlockReader reader) {
        boolean wanted;
        synchronized (arrivals) {
            wanted = !arrival.isDuplicate
                    && !arrival.isReceived()
                    && !arrival.isGathered()
                    && arrival.lent() == null
                    && arrivals.contains(arrival);
            if (wanted) {
                arrival.lend(lease);
            }
        }
        if (!wanted) {
            lease.release();
        }
        reader.resume();
    }

    /** All bytes of the block are where {@link #placeFor} said. Verifies a small piece of a storage in memory at once, others on a storage thread. */
    public void received(int fromNumber, PieceBlock block) {
        Arrival whole;
        synchronized (arrivals) {
            whole = arrivals.find(block.piece(), fromNumber);
            if (whole == null || !whole.isGathered() || whole.receivedBytes() < layout.lengthBytes(block.piece())) {
                return;
            }
            arrivals.received(whole);
        }
        if ((whole.isInPlace() || isInMemory) && layout.pieceBytes() <= SendWindow.LARGEST_BLOCK_BYTES) {
            // The memory is near, and nothing is left to wait for: another thread would cost more than it takes over.
            keeper.verify(whole, block.digest());
            return;
        }
        try {
            storageThreads.execute(() -> keeper.verify(whole, block.digest()));
        } catch (RejectedExecutionException e) {
            keeper.drop(whole);
        }
    }

    /** Gives back the memory of pieces that are not being stored yet; nothing more is taken. */
    public void close() {
        List<Arrival> all;
        List<BlockReader> stopped;
        synchronized (arrivals) {
            closed = true;
            stopped = List.copyOf(waiting);
            waiting.clear();
            all = arrivals.removeIf(arrival -> !arrival.isVerified);
        }
        all.forEach(this::abandon);
        // The next multicast comes on the same connections.
        stopped.forEach(BlockReader::resume);
    }
}
