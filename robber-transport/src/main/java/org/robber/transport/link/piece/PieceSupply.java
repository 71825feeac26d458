package org.robber.transport.link.piece;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.Storage;
import org.robber.core.piece.PieceLayout;
import org.robber.transport.digest.PieceHasher;
import org.robber.transport.link.pace.SendWindow;
import org.robber.transport.link.piece.PieceBuffers.Lease;
import org.robber.transport.storage.UserStorage;

/**
 * Makes pieces ready to be sent. A piece whose digest is known is sent from its place in memory or in a file, if the kernel can do that.
 * Else it is read on a storage thread, or at once if it is small and in memory. When it reads, a root hashes what it read of the source, each time, since that may have changed; so no pass over
 * the source comes before. Thread-safe.
 */
public final class PieceSupply {
    private final PieceLayout layout;
    private final Storage storage;
    private final IntPredicate isSource;
    private final boolean encrypted;
    private final PieceHasher hasher;
    private final PieceDigests digests;
    private final PieceBuffers buffers;
    private final PieceBuffers arrived;
    private final Executor storageThreads;
    private final Consumer<Throwable> failed;
    private final boolean isAtOnce;
    private final Set<Lease> unread = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * @param isSource the pieces that are data of the user, who may change them meanwhile: when they are read again, they are compared
     *     again. The others are a copy, verified when it came
     * @param buffers for pieces that are read
     * @param arrived those with pieces that came a short time ago
     */
    public PieceSupply(
            PieceLayout layout,
            Storage storage,
            IntPredicate isSource,
            boolean encrypted,
            PieceHasher hasher,
            PieceDigests digests,
            PieceBuffers buffers,
            PieceBuffers arrived,
            Executor storageThreads,
            Consumer<Throwable> failed) {
        this.layout = layout;
        this.storage = storage;
        this.isSource = isSource;
        this.encrypted = encrypted;
        this.hasher = hasher;
        this.digests = digests;
        this.buffers = buffers;
        this.arrived = arrived;
        this.storageThreads = storageThreads;
        this.failed = failed;
        // Another thread would cost more than it takes over.
        this.isAtOnce = storage.isInMemory() && layout.pieceBytes() <= SendWindow.LARGEST_BLOCK_BYTES;
    }

    /**
     * Makes a piece ready.
     *
     * @param ready told once, at once or later from another thread; not at all if reading fails, which fails the job
     */
    public void open(int piece, Consumer<OutgoingPiece> ready) {
        try {
            byte[] digest = digests.get(piece);
            boolean isCopy = !isSource.test(piece);
            if (digest != null && (directMemory(piece) != null || (isCopy && !encrypted))) {
                OutgoingPiece inPlace =
                        OutgoingPiece.inPlace(storage, layout.offsetBytes(piece), layout.lengthBytes(piece), digest);
                if (inPlace != null) {
                    ready.accept(inPlace);
                    return;
                }
            }
            if (digest != null && isCopy) {
                Lease kept = arrived.kept(piece);
                if (kept != null) {
                    ready.accept(OutgoingPiece.ofLease(digest, layout.lengthBytes(piece), kept));
                    return;
                }
            }
            ByteBuffer memory = directMemory(piece);
            if (memory != null) {
                Executor executor = isAtOnce ? Runnable::run : storageThreads;
                executor.execute(() -> hash(piece, memory, ready));
                return;
            }
            if (isCopy) {
                // It is read back for others that ask soon after it came: later ones stay in memory for a while.
                arrived.startKeeping();
            }
            Lease lease = buffers.take(later -> readLater(piece, later, ready));
            if (lease != null && isAtOnce) {
                read(piece, lease, ready);
            } else if (lease != null) {
                readLater(piece, lease, ready);
            }
        } catch (IOException | RuntimeException | Error e) {
            fail(e);
        }
    }

    /** Reads and hashes, one after the other, all pieces that have not been until it is their turn. */
    public void learnAll() {
        learnFrom(0);
    }

    private void learnFrom(int first) {
        int piece = digests.nextUnknownFrom(first);
        if (piece < layout.pieceCount()) {
            open(piece, read -> {
                read.release();
                // Pieces that are ready at once would exceed the stack.
                learnLater(piece + 1);
            });
        }
    }

    private void learnLater(int first) {
        try {
            storageThreads.execute(() -> learnFrom(first));
        } catch (RejectedExecutionException e) {
            fail(e);
        }
    }

    /** A piece was made, and is still near: in direct memory, its digest is learnt now. It is sent from there then. */
    public void learnMade(int piece) {
        try {
            ByteBuffer memory = directMemory(piece);
            if (memory != null) {
                byte[] unused = learn(piece, memory);
            }
        } catch (IOException | RuntimeException e) {
            fail(e);
        }
    }

    private void hash(int piece, ByteBuffer memory, Consumer<OutgoingPiece> ready) {
        try {
            if (closed) {
                return;
            }
            ready.accept(OutgoingPiece.ofMemory(learn(piece, memory), memory));
        } catch (IOException | RuntimeException | Error e) {
            fail(e);
        }
    }

    private void readLater(int piece, Lease lease, Consumer<OutgoingPiece> ready) {
        unread.add(lease);
        try {
            storageThreads.execute(() -> {
                if (unread.remove(lease)) {
                    read(piece, lease, ready);
                }
            });
        } catch (RejectedExecutionException e) {
            giveBackUnread(lease);
            fail(e);
        }
    }

    private void giveBackUnread(Lease lease) {
        if (unread.remove(lease)) {
            lease.release();
        }
    }

    /**
     * Gives back the memory of pieces that no storage thread has begun to read, and may never have the time to. From now on the user may change the data:
     * failures of what is under way mean nothing.
     */
    public void close() {
        closed = true;
        unread.forEach(this::giveBackUnread);
    }

    private void read(int piece, Lease lease, Consumer<OutgoingPiece> ready) {
        int lengthBytes = layout.lengthBytes(piece);
        try {
            ByteBuffer target = lease.bytes().internalNioBuffer(0, lengthBytes).slice();
            UserStorage.read(storage, layout.offsetBytes(piece), target);
            ready.accept(OutgoingPiece.ofLease(digest(piece, target.flip()), lengthBytes, lease));
        } catch (IOException | RuntimeException | Error e) {
            lease.release();
            fail(e);
        }
    }

    private void fail(Throwable why) {
        if (!closed) {
            failed.accept(why);
        }
    }

    private byte[] digest(int piece, ByteBuffer bytes) throws IOException {
        byte[] known = digests.get(piece);
        return known != null && !isSource.test(piece) ? known : learn(piece, bytes);
    }

    /** The digest of these bytes, which must be that of all earlier reads. */
    private byte[] learn(int piece, ByteBuffer bytes) throws IOException {
        byte[] digest = hasher.hash(bytes);
        storage.verified(layout.offsetBytes(piece), layout.lengthBytes(piece), digest);
        if (!Arrays.equals(digests.learn(piece, digest), digest)) {
            throw new RobberException(
                    Reason.SOURCE_CHANGED,
                    List.of(),
                    "read",
                    "the source changed while it was read: its bytes from " + layout.offsetBytes(piece)
                            + " on are not what they were; run again when no process writes to it");
        }
        return digest;
    }

    private @Nullable ByteBuffer directMemory(int piece) {
        ByteBuffer memory = storage.memory(layout.offsetBytes(piece), layout.lengthBytes(piece));
        return memory != null && memory.isDirect() ? memory : null;
    }
}
