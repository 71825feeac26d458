package org.robber.transport.link;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.robber.Storage;
import org.robber.core.node.Event;
import org.robber.core.piece.PieceLayout;
import org.robber.transport.digest.PieceHasher;
import org.robber.transport.link.Arrival.State;

/**
 * Verifies whole pieces, each against the digest that came with it, and stores the first right copy of each. Reports the piece to the
 * machine once for each peer that has sent it, so that the machine waits for none of them. Thread-safe.
 */
final class PieceKeeper {
    private final PieceLayout layout;
    private final Storage storage;
    private final PieceHasher hasher;
    private final PieceDigests digests;
    private final Executor storageThreads;
    private final Consumer<Event> node;
    private final Consumer<Throwable> failed;

    /** Its lock guards all arrivals. */
    private final ArrivalBook book;

    /** Pieces that are verified and being stored, with the others that have sent them meanwhile. */
    private final Map<Integer, List<Integer>> keeping = new HashMap<>();

    PieceKeeper(
            PieceLayout layout,
            Storage storage,
            PieceHasher hasher,
            PieceDigests digests,
            ArrivalBook book,
            Executor storageThreads,
            Consumer<Event> node,
            Consumer<Throwable> failed) {
        this.layout = layout;
        this.storage = storage;
        this.hasher = hasher;
        this.digests = digests;
        this.book = book;
        this.storageThreads = storageThreads;
        this.node = node;
        this.failed = failed;
    }

    /** Verifies a piece, and keeps it unless it is wrong or came from somebody else before; on a storage thread. */
    void verify(Arrival whole, byte[] digest) {
        synchronized (book) {
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

    /** Stores a verified piece once nothing else writes to its place, unless it came from another peer before. */
    private void keep(Arrival whole, byte[] digest) {
        List<Arrival> others;
        List<Arrival> begun = new ArrayList<>();
        synchronized (book) {
            others = book.keep(whole);
            if (others != null) {
                List<Integer> senders = new ArrayList<>();
                for (Arrival other : others) {
                    // Of one that has not begun, the node hears when its first block comes.
                    if (other.state != State.NEEDLESS) {
                        begun.add(other);
                        senders.add(other.fromRank);
                    }
                }
                keeping.put(whole.piece, senders);
                others.removeAll(begun);
            }
        }
        if (others == null) {
            drop(whole);
            tellOfNeedless(whole.piece, whole.fromRank);
            return;
        }
        others.forEach(Arrival::release);
        if (begun.isEmpty()) {
            store(whole, digest);
        } else {
            List<CompletableFuture<?>> leaving = new ArrayList<>();
            for (Arrival other : begun) {
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
        synchronized (book) {
            others = keeping.remove(whole.piece);
        }
        if (others != null) {
            others.forEach(other -> node.accept(new Event.PieceStored(other, whole.piece)));
        }
    }

    /** A peer sends a piece that another has sent: the machine hears it once the piece can be read. */
    void tellOfNeedless(int piece, int fromRank) {
        synchronized (book) {
            List<Integer> senders = keeping.get(piece);
            if (senders != null) {
                senders.add(fromRank);
                return;
            }
        }
        node.accept(new Event.PieceStored(fromRank, piece));
    }

    /** Forgets an arrival and gives its memory back. */
    void drop(Arrival arrival) {
        synchronized (book) {
            book.remove(arrival);
        }
        arrival.release();
    }
}
