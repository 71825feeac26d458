package org.robber.transport.link;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.robber.Storage;
import org.robber.core.node.Event;
import org.robber.core.piece.PieceLayout;
import org.robber.core.protocol.Message.PieceBlock;
import org.robber.transport.digest.PieceHasher;
import org.robber.transport.link.PieceBuffers.Lease;

/**
 * Gathers the blocks of requested pieces, verifies each piece against the digest that it travels with, stores it, and
 * tells the node. Only a piece that was asked of the sender is taken, so that nothing can write over what is verified.
 * Thread-safe.
 */
final class PieceIntake {
    private final PieceLayout layout;
    private final Storage storage;
    private final PieceHasher hasher;
    private final PieceDigests digests;
    private final PieceBuffers buffers;
    private final Executor storageThreads;
    private final Consumer<Event> node;
    private final Consumer<Throwable> failed;
    private final Map<Integer, Arrival> arrivals = new HashMap<>();

    PieceIntake(
            PieceLayout layout,
            Storage storage,
            PieceHasher hasher,
            PieceDigests digests,
            PieceBuffers buffers,
            Executor storageThreads,
            Consumer<Event> node,
            Consumer<Throwable> failed) {
        this.layout = layout;
        this.storage = storage;
        this.hasher = hasher;
        this.digests = digests;
        this.buffers = buffers;
        this.storageThreads = storageThreads;
        this.node = node;
        this.failed = failed;
    }

    /** A piece that has been asked for. */
    private static final class Arrival {
        private final int fromRank;
        private @Nullable Lease lease;
        private @Nullable ByteBuf bytes;

        Arrival(int fromRank) {
            this.fromRank = fromRank;
        }

        int receivedBytes() {
            return bytes == null ? 0 : bytes.writerIndex();
        }

        void release() {
            bytes = null;
            if (lease != null) {
                lease.release();
                lease = null;
            }
        }
    }

    /** The piece has been asked of this peer, and of no other. */
    synchronized void expect(int piece, int fromRank) {
        Arrival earlier = arrivals.put(piece, new Arrival(fromRank));
        if (earlier != null) {
            earlier.release();
        }
    }

    /** The peer will not send the piece. */
    synchronized void forget(int piece, int fromRank) {
        Arrival arrival = arrivals.get(piece);
        if (arrival != null && arrival.fromRank == fromRank) {
            arrivals.remove(piece);
            arrival.release();
        }
    }

    /** The peer will send nothing more. */
    synchronized void forgetAllFrom(int fromRank) {
        arrivals.values().removeIf(arrival -> {
            if (arrival.fromRank == fromRank) {
                arrival.release();
                return true;
            }
            return false;
        });
    }

    /** Where the bytes of this block go. */
    synchronized BlockPlace placeFor(int fromRank, PieceBlock block, Runnable resume) {
        Arrival arrival = arrivals.get(block.piece());
        if (arrival == null
                || arrival.fromRank != fromRank
                || arrival.receivedBytes() != block.offsetBytes()
                || block.lengthBytes() > layout.lengthBytes(block.piece()) - block.offsetBytes()) {
            return BlockPlace.DISCARD;
        }
        ByteBuf bytes = arrival.bytes;
        if (bytes == null) {
            ByteBuffer memory = storage.memory(layout.offsetBytes(block.piece()), layout.lengthBytes(block.piece()));
            if (memory != null && memory.isDirect()) {
                bytes = Unpooled.wrappedBuffer(memory).clear();
            } else {
                Lease lease = arrival.lease;
                if (lease == null) {
                    lease = buffers.take(later -> granted(block.piece(), arrival, later, resume));
                }
                if (lease == null) {
                    return BlockPlace.WAIT;
                }
                arrival.lease = lease;
                bytes = lease.bytes().clear();
            }
            arrival.bytes = bytes;
        }
        return BlockPlace.in(bytes);
    }

    /** There is a buffer for an arrival that has waited for one. */
    @SuppressWarnings("ReferenceEquality") // another arrival of the piece has a buffer of its own
    private void granted(int piece, Arrival arrival, Lease lease, Runnable resume) {
        boolean wanted;
        synchronized (this) {
            wanted = arrivals.get(piece) == arrival;
            if (wanted) {
                arrival.lease = lease;
            }
        }
        if (!wanted) {
            lease.release();
        }
        resume.run();
    }

    /** All bytes of the block are where {@link #placeFor} said. */
    void received(PieceBlock block) {
        Arrival whole;
        synchronized (this) {
            Arrival arrival = arrivals.get(block.piece());
            if (arrival == null || arrival.receivedBytes() < layout.lengthBytes(block.piece())) {
                return;
            }
            arrivals.remove(block.piece());
            whole = arrival;
        }
        storageThreads.execute(() -> store(block, whole));
    }

    private void store(PieceBlock block, Arrival whole) {
        int piece = block.piece();
        try {
            ByteBuf bytes = whole.bytes;
            if (bytes == null) {
                throw new IllegalStateException("piece " + piece + " has no bytes");
            }
            ByteBuffer data = bytes.nioBuffer(0, layout.lengthBytes(piece));
            if (!Arrays.equals(hasher.hash(data), block.digest())) {
                node.accept(new Event.PieceCorrupt(whole.fromRank, piece));
                return;
            }
            if (whole.lease != null) {
                storage.write(layout.offsetBytes(piece), data);
            }
            storage.verified(layout.offsetBytes(piece), layout.lengthBytes(piece), block.digest());
            digests.learn(piece, block.digest());
            node.accept(new Event.PieceStored(whole.fromRank, piece));
        } catch (IOException | RuntimeException | Error e) {
            failed.accept(e);
        } finally {
            whole.release();
        }
    }

    /** Gives back the memory of pieces that have not arrived whole. */
    synchronized void close() {
        List<Arrival> all = List.copyOf(arrivals.values());
        arrivals.clear();
        all.forEach(Arrival::release);
    }
}
