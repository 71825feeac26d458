package org.robber.transport.link.piece;

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
import org.robber.core.driver.ExpectedAnswers;
import org.robber.core.node.Event;
import org.robber.core.piece.PieceLayout;
import org.robber.core.piece.PieceSet;
import org.robber.transport.digest.PieceHasher;
import org.robber.transport.storage.UserStorage;

/**
 * Verifies whole pieces, each against the digest that came with it, and stores the first right copy of each. Reports the piece to the
 * machine once for each peer that has sent it, so that the machine waits for none of them. Thread-safe.
 */
final class PieceKeeper {
    private final PieceLayout layout;
    private final Storage storage;
    private final PieceHasher hasher;
    private final PieceDigests digests;
    private final PieceBuffers buffers;
    private final Executor storageThreads;
    private final WritesUnderWay writes;
    private final Consumer<Event> node;
    private final Consumer<Throwable> failed;

    /** Its lock guards all arrivals. */
    private final ExpectedAnswers<Arrival> arrivals;

    /** Pieces of which a right copy was stored or is being stored. */
    private final PieceSet kept;

    /** Pieces that are verified and being stored, with the other peers that have sent them meanwhile. */
    private final Map<Integer, List<Integer>> keeping = new HashMap<>();

    PieceKeeper(
            PieceLayout layout,
            Storage storage,
            PieceHasher hasher,
            PieceDigests digests,
            PieceBuffers buffers,
            ExpectedAnswers<Arrival> arrivals,
            Executor storageThreads,
            WritesUnderWay writes,
            Consumer<Event> node,
            Consumer<Throwable> failed) {
        this.layout = layout;
        this.storage = storage;
        this.hasher = hasher;
        this.digests = digests;
        this.buffers = buffers;
        this.arrivals = arrivals;
        this.storageThreads = storageThreads;
        this.writes = writes;
        this.node = node;
        this.failed = failed;
        this.kept = PieceSet.empty(layout.pieceCount());
    }

    /** Whether a right copy of the piece is here. Needs the lock of the arrivals. */
    boolean isKept(int piece) {
        return kept.contains(piece);
    }

    /** Verifies a piece, and keeps it unless it is wrong or came from another peer before. */
    void verify(Arrival whole, byte[] digest) {
        if (!writes.begin()) {
            drop(whole);
            return;
        }
        try {
            verifyAndKeep(whole, digest);
        } finally {
            writes.end();
        }
    }

    private void verifyAndKeep(Arrival whole, byte[] digest) {
        synchronized (arrivals) {
            if (!arrivals.contains(whole)) {
                return;
            }
            whole.isVerified = true;
        }
        try {
            ByteBuffer data = data(whole);
            if (Arrays.equals(hasher.hash(data), digest)) {
                keep(whole, digest);
            } else {
                drop(whole);
                node.accept(new Event.PieceCorrupt(whole.fromRank(), whole.piece()));
            }
        } catch (RuntimeException | Error e) {
            drop(whole);
            failed.accept(e);
        }
    }

    private ByteBuffer data(Arrival whole) {
        ByteBuf bytes = whole.bytes();
        if (bytes == null) {
            throw new IllegalStateException("piece " + whole.piece() + " has no bytes");
        }
        return bytes.nioBuffer(0, layout.lengthBytes(whole.piece()));
    }

    /** Stores a verified piece once nothing else writes to its place, unless it came from another peer before. */
    private void keep(Arrival whole, byte[] digest) {
        List<Arrival> begun = new ArrayList<>();
        List<Arrival> notBegun = new ArrayList<>();
        boolean isFirst;
        synchronized (arrivals) {
            isFirst = kept.add(whole.piece());
            if (isFirst) {
                keeping.put(whole.piece(), divideOthers(whole, begun, notBegun));
            }
        }
        if (!isFirst) {
            drop(whole);
            reportDuplicate(whole.piece(), whole.fromRank());
            return;
        }
        notBegun.forEach(Arrival::release);
        if (begun.isEmpty()) {
            store(whole, digest);
        } else {
            List<CompletableFuture<?>> leaving = new ArrayList<>();
            for (Arrival other : begun) {
                CompletableFuture<Void> left = new CompletableFuture<>();
                leaving.add(left);
                other.abandon(() -> left.complete(null));
            }
            writes.alsoBegin();
            CompletableFuture.allOf(leaving.toArray(CompletableFuture[]::new))
                    .thenRunAsync(() -> store(whole, digest), storageThreads)
                    .whenComplete((done, refused) -> {
                        if (refused != null) {
                            drop(whole);
                        }
                        writes.end();
                    });
        }
    }

    /**
     * The other answers for a piece that is right are needless. Those that have begun are removed; the others are noted when their first block
     * comes.
     *
     * @return who sends those that have begun
     */
    private List<Integer> divideOthers(Arrival first, List<Arrival> begun, List<Arrival> notBegun) {
        List<Integer> senders = new ArrayList<>();
        for (Arrival other : List.copyOf(arrivals.of(first.piece()))) {
            if (other.isVerified) {
                continue;
            }
            if (other.isGathered() || other.isReceived()) {
                arrivals.remove(other);
                begun.add(other);
                senders.add(other.fromRank());
            } else {
                other.isDuplicate = true;
                notBegun.add(other);
            }
        }
        return senders;
    }

    private void store(Arrival whole, byte[] digest) {
        long offsetBytes = layout.offsetBytes(whole.piece());
        try {
            if (!whole.isInPlace()) {
                UserStorage.write(storage, offsetBytes, data(whole));
            }
            storage.verified(offsetBytes, layout.lengthBytes(whole.piece()), digest);
            digests.learn(whole.piece(), digest);
            whole.keepIn(buffers);
        } catch (IOException | RuntimeException | Error e) {
            failed.accept(e);
            return;
        } finally {
            drop(whole);
        }
        node.accept(new Event.PieceStored(whole.fromRank(), whole.piece()));
        List<Integer> others;
        synchronized (arrivals) {
            others = keeping.remove(whole.piece());
        }
        if (others != null) {
            others.forEach(other -> node.accept(new Event.PieceStored(other, whole.piece())));
        }
    }

    /** A peer sends a piece that another has sent: the machine hears it once the piece can be read. */
    void reportDuplicate(int piece, int fromNumber) {
        synchronized (arrivals) {
            List<Integer> senders = keeping.get(piece);
            if (senders != null) {
                senders.add(fromNumber);
                return;
            }
        }
        node.accept(new Event.PieceStored(fromNumber, piece));
    }

    /** Forgets an arrival and gives its memory back. */
    void drop(Arrival arrival) {
        synchronized (arrivals) {
            arrivals.remove(arrival);
        }
        arrival.release();
    }
}
