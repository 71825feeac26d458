package org.robber.transport.link.piece;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;
import org.robber.core.driver.ExpectedAnswer;
import org.robber.transport.link.frame.BlockReader;
import org.robber.transport.link.piece.PieceBuffers.Lease;

/** A piece that was requested from one peer, and its memory. Methods that are not called thread-safe need the lock of the {@link PieceIntake}. */
final class Arrival extends ExpectedAnswer {
    /** The piece came from another peer meanwhile, so its bytes are dropped. */
    boolean isDuplicate;

    /** It is being verified. */
    boolean isVerified;

    private @Nullable Lease lease;
    private @Nullable ByteBuf bytes;
    private @Nullable BlockReader reader;

    Arrival(int piece, int fromNumber) {
        super(piece, fromNumber);
    }

    /** Whether some of its blocks have come, but not all. */
    boolean isGathered() {
        return bytes != null && !isReceived();
    }

    /** Whether another reader gathers it. A whole piece comes over one connection. */
    @SuppressWarnings("ReferenceEquality") // this very reader
    boolean isGatheredByOther(BlockReader by) {
        return isGathered() && reader != by;
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
        bytes = place;
        reader = by;
    }

    /** Gives the memory back, at once or as soon as its reader has left it; then calls {@code left}. Thread-safe. */
    void abandon(Runnable left) {
        BlockReader by = reader;
        ByteBuf place = bytes;
        if (by == null || place == null || isReceived()) {
            release();
            left.run();
            return;
        }
        by.leave(place, () -> {
            release();
            left.run();
        });
    }

    /** It is whole and right: its buffer may stay readable for others that ask for the piece. */
    synchronized void keepIn(PieceBuffers buffers) {
        Lease here = lease;
        if (here != null) {
            buffers.keep(piece(), here);
        }
    }

    /** Gives back memory that no reader writes to. This tells waiting readers, so the caller holds no lock. Thread-safe. */
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
