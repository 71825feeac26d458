package org.robber.transport.link;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;
import org.robber.transport.link.PieceBuffers.Lease;

/** A piece that was requested from one peer. Methods that are not called thread-safe need the lock of the {@link ArrivalBook}. */
final class Arrival {
    final int piece;
    final int fromRank;
    State state = State.AWAITED;

    /** The request was cancelled; the piece may come all the same. */
    boolean recalled;

    private @Nullable Lease lease;
    private @Nullable ByteBuf bytes;
    private @Nullable BlockReader reader;

    /** How far it is. */
    enum State {
        /** No byte has a place yet. */
        AWAITED,
        /** Block by block. */
        GATHERED,
        /** All bytes are here, and wait for a storage thread. */
        WHOLE,
        /** A storage thread has it. */
        VERIFIED,
        /** The piece came from another peer meanwhile, so its bytes are dropped. */
        NEEDLESS
    }

    Arrival(int piece, int fromRank) {
        this.piece = piece;
        this.fromRank = fromRank;
    }

    int receivedBytes() {
        ByteBuf here = bytes;
        return here == null ? 0 : here.writerIndex();
    }

    @Nullable
    ByteBuf bytes() {
        return bytes;
    }

    /** Whether its place is the storage's own memory. */
    boolean isInPlace() {
        return bytes != null && lease == null;
    }

    /** It has a buffer of the budget now. */
    void lend(Lease granted) {
        lease = granted;
    }

    /** The buffer that it has, which is empty as yet, or null. */
    @Nullable
    ByteBuf lent() {
        Lease here = lease;
        return here == null ? null : here.bytes().clear();
    }

    /** From now on it is gathered at this place, by this reader. */
    void gather(ByteBuf place, BlockReader by) {
        state = State.GATHERED;
        bytes = place;
        reader = by;
    }

    /** Gives the memory back, at once or as soon as its reader has left it; then tells so. Thread-safe. */
    void abandon(Runnable left) {
        BlockReader by = reader;
        ByteBuf place = bytes;
        if (by == null || place == null || state != State.GATHERED) {
            release();
            left.run();
            return;
        }
        by.leave(place, () -> {
            release();
            left.run();
        });
    }

    /** Gives the memory back, which nobody writes to. Whoever waits for it is told, so the caller holds no lock. Thread-safe. */
    void release() {
        Lease back;
        synchronized (this) {
            back = lease;
            lease = null;
        }
        if (back != null) {
            back.release();
        }
    }
}
