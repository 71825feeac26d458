package org.robber.transport.link.frame;

import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Decides whether a connection is read, so that the memory which a peer takes by its messages is bounded, whatever it sends. A connection
 * is not read while
 *
 * <ul>
 *   <li>too many of its messages wait for the {@code StrategyRunner}, or
 *   <li>too many bytes of messages for the peer have not left: each message of a peer can cause an answer. Blocks of pieces do not count
 *       here, since {@code SendWindow} bounds them; else two nodes that send pieces to each other could both stop.
 * </ul>
 *
 * <p>Two nodes that both stop for the second reason would wait for each other. So as long as nothing leaves, {@link #widen} lets each read
 * a little more; and a peer that still reads nothing loses its connection ({@code PeerWatch}).
 *
 * <p>Belongs to the connection's event loop, except for {@link #handled}.
 */
public final class ReadGate {
    /** Limit for messages that wait for the strategy, as their size in memory. */
    public static final int MAX_UNHANDLED_BYTES = 256 << 10;

    /** Limit for messages that have not left, if four bitfields are not more: far above what peers that read can cause. */
    public static final int MIN_MAX_UNSENT_BYTES = 1 << 20;

    private static final int FRAMES_WITHIN_LIMIT = 4;
    private static final int WIDENINGS_TO_DOUBLE = 4;

    private final EventExecutor loop;
    private final Runnable opened;
    private final AtomicLong handledBytes = new AtomicLong();
    private long unhandledBytes;
    private long unsentBytes;
    private long leftBytes;
    private long maxUnsentBytes = MIN_MAX_UNSENT_BYTES;
    private long extraBytes;
    private boolean closed;

    /**
     * @param loop the connection's event loop
     * @param opened run when the connection may be read again
     */
    public ReadGate(EventExecutor loop, Runnable opened) {
        this.loop = loop;
        this.opened = opened;
    }

    /** A multicast begins whose longest message without a block is this long. */
    public void begin(int longestMessageBytes) {
        maxUnsentBytes = Math.max(MIN_MAX_UNSENT_BYTES, (long) FRAMES_WITHIN_LIMIT * longestMessageBytes);
        reopen();
    }

    /** Whether more may be read. If not, {@code opened} runs later. */
    public boolean mayRead() {
        if (unhandledBytes > MAX_UNHANDLED_BYTES || unsentBytes > maxUnsentBytes + extraBytes) {
            closed = true;
        }
        return !closed;
    }

    /** Whether the connection is not read since the peer does not read. */
    public boolean awaitsPeer() {
        return closed && unsentBytes > maxUnsentBytes / 2;
    }

    /** A message that takes so much memory, or whose answer may, waits for the strategy. */
    public void posted(int bytes) {
        unhandledBytes += bytes;
    }

    /**
     * The strategy has handled a message of this size. This counts once the event loop has sent the answers that wait for it, or they
     * would be unbounded. Any thread.
     */
    public void handled(int bytes) {
        if (handledBytes.getAndAdd(bytes) == 0) {
            try {
                loop.execute(this::settle);
            } catch (RejectedExecutionException e) {
                // The connection has ended with its loop.
            }
        }
    }

    private void settle() {
        unhandledBytes -= handledBytes.getAndSet(0);
        reopen();
    }

    /** A message of so many bytes was written. */
    void written(int bytes) {
        unsentBytes += bytes;
    }

    /** So many bytes of messages have left. */
    void left(int bytes) {
        unsentBytes -= bytes;
        leftBytes += bytes;
        reopen();
    }

    /** How many bytes of messages have left so far. */
    public long leftBytes() {
        return leftBytes;
    }

    /** Nothing has left for some time, perhaps because the peer waits for us in the same way. */
    public void widen() {
        if (awaitsPeer()) {
            extraBytes = Math.max(0, unsentBytes - maxUnsentBytes) + maxUnsentBytes / WIDENINGS_TO_DOUBLE;
            open();
        }
    }

    private void reopen() {
        if (unsentBytes <= maxUnsentBytes / 2) {
            extraBytes = 0;
            open();
        }
    }

    private void open() {
        if (closed && unhandledBytes <= MAX_UNHANDLED_BYTES / 2) {
            closed = false;
            opened.run();
        }
    }
}
