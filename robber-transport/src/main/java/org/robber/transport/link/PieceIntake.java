package org.robber.transport.link;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.robber.Storage;
import org.robber.core.node.Event;
import org.robber.core.piece.PieceLayout;
import org.robber.core.protocol.Message.PieceBlock;
import org.robber.transport.digest.PieceHasher;
import org.robber.transport.link.Arrival.State;
import org.robber.transport.link.PieceBuffers.Lease;

/**
 * Gathers the blocks of requested pieces, verifies each piece against the digest that it travels with, stores it, and
 * tells the node. Only a piece that was asked of the sender is taken, so that nothing can write over what is verified.
 *
 * <p>A piece may be asked of several peers: in an end game, or because one of them has stalled. Each sends at its own pace; the
 * first that is whole and right is kept, what others send of it is thrown away, and the node is told of each of them that
 * the piece is here, so that it waits for nobody. Thread-safe.
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
    private final ArrivalBook book;
    private boolean closed;

    /** Pieces that are verified and being stored, with the others that have sent them meanwhile. */
    private final Map<Integer, List<Integer>> keeping = new HashMap<>();

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
        this.book = new ArrivalBook(layout.pieceCount());
    }

    /** The piece has been asked of this peer, and perhaps of others. */
    synchronized void expect(int piece, int fromRank) {
        if (!closed) {
            book.expect(piece, fromRank);
        }
    }

    /** We have told the peer that we need the piece no more; it may be on its way. */
    synchronized void recall(int piece, int fromRank) {
        Arrival arrival = book.find(piece, fromRank);
        if (arrival != null) {
            arrival.recalled = true;
        }
    }

    /** Whether the peer has been asked for what has not come yet. */
    synchronized boolean isOwedBy(int fromRank) {
        return book.isOwedBy(fromRank);
    }

    /** The peer will not send the piece. */
    void forget(int piece, int fromRank) {
        Arrival refused;
        synchronized (this) {
            refused = book.find(piece, fromRank);
            if (refused == null || !isUnderWay(refused)) {
                return;
            }
            book.remove(refused);
        }
        refused.abandon(() -> {});
    }

    /** The peer will send nothing more. */
    void forgetAllFrom(int fromRank) {
        List<Arrival> lost;
        synchronized (this) {
            lost = book.removeIf(arrival -> arrival.fromRank == fromRank && isUnderWay(arrival));
        }
        lost.forEach(arrival -> arrival.abandon(() -> {}));
    }

    private static boolean isUnderWay(Arrival arrival) {
        return arrival.state != State.WHOLE && arrival.state != State.VERIFIED;
    }

    /** Where the bytes of this block go, and who reads them. */
    BlockPlace placeFor(int fromRank, PieceBlock block, BlockReader reader) {
        if (block.lengthBytes() > layout.lengthBytes(block.piece()) - block.offsetBytes()) {
            return BlockPlace.DISCARD;
        }
        synchronized (this) {
            Arrival arrival = book.find(block.piece(), fromRank);
            if (arrival == null) {
                return BlockPlace.DISCARD;
            }
            if (arrival.state != State.NEEDLESS) {
                return placeFor(arrival, block, reader);
            }
            book.remove(arrival);
        }
        tellOfNeedless(block.piece(), fromRank);
        return BlockPlace.DISCARD;
    }

    private BlockPlace placeFor(Arrival arrival, PieceBlock block, BlockReader reader) {
        if (arrival.state == State.GATHERED || arrival.state == State.AWAITED) {
            if (arrival.receivedBytes() != block.offsetBytes()) {
                return BlockPlace.DISCARD;
            }
            ByteBuf bytes = arrival.bytes();
            if (bytes == null) {
                bytes = newPlace(arrival, reader);
            }
            if (bytes == null) {
                return BlockPlace.WAIT;
            }
            arrival.gather(bytes, reader);
            return BlockPlace.in(bytes);
        }
        return BlockPlace.DISCARD;
    }

    /** The storage's own memory, if nobody else writes there, or a buffer; null if there is none yet. */
    private @Nullable ByteBuf newPlace(Arrival arrival, BlockReader reader) {
        // Whoever was lent a buffer keeps to it: that it has none is how others see that it writes to the storage's
        // memory.
        ByteBuf lent = arrival.lent();
        if (lent != null) {
            return lent;
        }
        ByteBuffer memory = storage.memory(layout.offsetBytes(arrival.piece), layout.lengthBytes(arrival.piece));
        if (memory != null
                && memory.isDirect()
                && book.of(arrival.piece).stream().noneMatch(Arrival::isInPlace)) {
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
        synchronized (this) {
            wanted = arrival.state == State.AWAITED && book.contains(arrival);
            if (wanted) {
                arrival.lend(lease);
            }
        }
        if (!wanted) {
            lease.release();
        }
        reader.resume();
    }

    /** All bytes of the block are where {@link #placeFor} said. */
    void received(int fromRank, PieceBlock block) {
        Arrival whole;
        synchronized (this) {
            whole = book.find(block.piece(), fromRank);
            if (whole == null
                    || whole.state != State.GATHERED
                    || whole.receivedBytes() < layout.lengthBytes(block.piece())) {
                return;
            }
            whole.state = State.WHOLE;
        }
        try {
            storageThreads.execute(() -> verify(whole, block.digest()));
        } catch (RejectedExecutionException e) {
            drop(whole);
        }
    }

    private void drop(Arrival arrival) {
        synchronized (this) {
            book.remove(arrival);
        }
        arrival.release();
    }

    private void verify(Arrival whole, byte[] digest) {
        synchronized (this) {
            if (!book.contains(whole)) {
                return;
            }
            whole.state = State.VERIFIED;
        }
        try {
            ByteBuffer data = data(whole);
            if (Arrays.equals(hasher.hash(data), digest)) {
                keep(whole, digest);
            } else {
                drop(whole);
                node.accept(new Event.PieceCorrupt(whole.fromRank, whole.piece));
            }
        } catch (RuntimeException | Error e) {
            drop(whole);
            failed.accept(e);
        }
    }

    private ByteBuffer data(Arrival whole) {
        ByteBuf bytes = whole.bytes();
        if (bytes == null) {
            throw new IllegalStateException("piece " + whole.piece + " has no bytes");
        }
        return bytes.nioBuffer(0, layout.lengthBytes(whole.piece));
    }

    /** Verified: is stored once nobody else writes to its place, unless it came from somebody else before. */
    private void keep(Arrival whole, byte[] digest) {
        List<Arrival> others;
        synchronized (this) {
            others = book.keep(whole);
            if (others != null) {
                List<Integer> senders = new ArrayList<>();
                others.forEach(other -> senders.add(other.fromRank));
                keeping.put(whole.piece, senders);
            }
        }
        if (others == null) {
            drop(whole);
            tellOfNeedless(whole.piece, whole.fromRank);
        } else if (others.isEmpty()) {
            store(whole, digest);
        } else {
            List<CompletableFuture<?>> leaving = new ArrayList<>();
            for (Arrival other : others) {
                CompletableFuture<Void> left = new CompletableFuture<>();
                leaving.add(left);
                other.abandon(() -> left.complete(null));
            }
            CompletableFuture.allOf(leaving.toArray(CompletableFuture[]::new))
                    .thenRunAsync(() -> store(whole, digest), storageThreads)
                    .whenComplete((done, refused) -> {
                        if (refused != null) {
                            drop(whole);
                        }
                    });
        }
    }

    private void store(Arrival whole, byte[] digest) {
        long offsetBytes = layout.offsetBytes(whole.piece);
        try {
            if (!whole.isInPlace()) {
                storage.write(offsetBytes, data(whole));
            }
            storage.verified(offsetBytes, layout.lengthBytes(whole.piece), digest);
            digests.learn(whole.piece, digest);
        } catch (IOException | RuntimeException | Error e) {
            failed.accept(e);
            return;
        } finally {
            drop(whole);
        }
        node.accept(new Event.PieceStored(whole.fromRank, whole.piece));
        List<Integer> others;
        synchronized (this) {
            others = keeping.remove(whole.piece);
        }
        if (others != null) {
            others.forEach(other -> node.accept(new Event.PieceStored(other, whole.piece)));
        }
    }

    /** Somebody sends what another has sent: the node hears it once the piece can be read. */
    private void tellOfNeedless(int piece, int fromRank) {
        synchronized (this) {
            List<Integer> senders = keeping.get(piece);
            if (senders != null) {
                senders.add(fromRank);
                return;
            }
        }
        node.accept(new Event.PieceStored(fromRank, piece));
    }

    /** Gives back the memory of pieces that are not being stored yet; nothing more is taken. */
    void close() {
        List<Arrival> all;
        synchronized (this) {
            closed = true;
            all = book.removeIf(arrival -> arrival.state != State.VERIFIED);
        }
        all.forEach(arrival -> arrival.abandon(() -> {}));
    }
}
