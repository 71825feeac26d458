package org.robber.transport.link.frame;

import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.robber.core.protocol.Message.PieceBlock;

/** The block that a connection receives, and the place of its bytes. Belongs to the connection's event loop. */
final class IncomingBlock implements BlockReader {
    /** Below this the copy is cheaper than a read of its own. */
    private static final int PLACED_AT_LEAST_BYTES = 2048;

    private final FrameSink sink;
    private final Runnable placeMayBeFree;
    private @Nullable EventExecutor loop;

    private @Nullable PieceBlock block;
    private @Nullable ByteBuf bytes;
    private int bytesLeft;
    private volatile boolean waiting;
    private @Nullable ByteBuf placed;

    /** @param placeMayBeFree called on the event loop when a block that waits for a place may get one */
    IncomingBlock(FrameSink sink, Runnable placeMayBeFree) {
        this.sink = sink;
        this.placeMayBeFree = placeMayBeFree;
    }

    /** The connection belongs to this loop. */
    void readBy(EventExecutor executor) {
        loop = executor;
    }

    /** The head of a block was read: looks for the place of its bytes. */
    void begin(PieceBlock head) {
        block = head;
        findPlace();
    }

    /** Looks for a place again, if a block waits for one. */
    void findPlace() {
        PieceBlock arriving = block;
        if (arriving == null) {
            return;
        }
        BlockPlace place = sink.placeFor(arriving, this);
        waiting = place == BlockPlace.WAIT;
        if (!waiting) {
            bytes = place.bytes();
            bytesLeft = arriving.lengthBytes();
        }
    }

    /** Whether there is no place for the block now. */
    boolean isWaiting() {
        return waiting;
    }

    /** Whether the next bytes of the connection belong to the block. */
    boolean isIncomplete() {
        return bytesLeft > 0;
    }

    /** The room for the rest of the block, for a read that goes there at once; null if such a read is of no use now. */
    @Nullable
    ByteBuf place() {
        placed = null;
        ByteBuf target = bytes;
        if (target != null && bytesLeft >= PLACED_AT_LEAST_BYTES && !waiting) {
            placed = target.retainedSlice(target.writerIndex(), bytesLeft).writerIndex(0);
        }
        return placed;
    }

    /** Whether the input was read into the {@link #place}; then it counts as received. */
    @SuppressWarnings("ReferenceEquality") // it is this very buffer that was read into, not one with equal bytes
    boolean takePlaced(ByteBuf input) {
        if (input != placed) {
            return false;
        }
        placed = null;
        ByteBuf target = bytes;
        if (target != null) {
            target.writerIndex(target.writerIndex() + input.readableBytes());
            advance(input.readableBytes());
        }
        return true;
    }

    /** Copies the bytes of the block out of the input, or skips them if their place was given up. */
    void read(ByteBuf input) {
        int count = Math.min(input.readableBytes(), bytesLeft);
        ByteBuf target = bytes;
        if (target == null) {
            input.skipBytes(count);
        } else {
            target.writeBytes(input, count);
        }
        advance(count);
    }

    private void advance(int count) {
        bytesLeft -= count;
        PieceBlock arrived = block;
        if (bytesLeft == 0 && arrived != null) {
            boolean isKept = bytes != null;
            block = null;
            bytes = null;
            if (isKept) {
                sink.blockReceived(arrived);
            }
        }
    }

    /** Gives up the place: all bytes that come are dropped. */
    void discard() {
        bytes = null;
        bytesLeft = 0;
    }

    @Override
    public void resume() {
        onLoop(placeMayBeFree, () -> {});
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // this very place
    public void leave(ByteBuf place, Runnable left) {
        EventExecutor executor = loop;
        if (executor == null || executor.inEventLoop()) {
            if (bytes == place) {
                bytes = null;
            }
            left.run();
        } else {
            // Once the loop has ended, nothing is read.
            onLoop(() -> leave(place, left), left);
        }
    }

    private void onLoop(Runnable work, Runnable hasEnded) {
        EventExecutor executor = loop;
        if (executor == null) {
            return;
        }
        try {
            executor.execute(work);
        } catch (RejectedExecutionException e) {
            hasEnded.run();
        }
    }
}
