package org.robber.transport.link.pace;

import java.util.List;

/**
 * Limits how fast pieces are sent to one peer: each block gets the time at which it may leave. The limits are shared with the other
 * connections of the node, and each connection asks for one block at a time, so they take turns. Thread-safe.
 */
public final class SendRate {
    /** The parts of a second in which a limited connection sends at most one block, so that connections take turns. */
    private static final int BLOCKS_PER_SECOND = 20;

    private static final int SMALLEST_BLOCK_BYTES = 1 << 10;

    private final List<SharedLimit> limits;
    private final boolean yields;

    private SendRate(List<SharedLimit> limits, boolean yields) {
        this.limits = limits;
        this.yields = yields;
    }

    /** No limit. */
    public static SendRate unlimited() {
        return new SendRate(List.of(), /* yields= */ false);
    }

    static SendRate of(List<SharedLimit> limits, boolean yields) {
        return new SendRate(List.copyOf(limits), yields);
    }

    /** Whether there is a limit. */
    public boolean isLimited() {
        return !limits.isEmpty();
    }

    /** Whether the connection leaves the line to other traffic. */
    public boolean yields() {
        return yields;
    }

    /** The largest block to send at a time, no larger than this. */
    public int blockBytes(int mostBytes) {
        long bytes = mostBytes;
        for (SharedLimit limit : limits) {
            bytes = Math.min(bytes, Math.max(SMALLEST_BLOCK_BYTES, limit.bytesPerSecond / BLOCKS_PER_SECOND));
        }
        return (int) bytes;
    }

    /** Takes the next free time for a block; returns how many nanoseconds from now that is. */
    public long reserve(int blockBytes, long nowNanos) {
        long delayNanos = 0;
        for (SharedLimit limit : limits) {
            delayNanos = Math.max(delayNanos, limit.reserve(blockBytes, nowNanos));
        }
        return delayNanos;
    }

    /** A limit that several connections share. */
    static final class SharedLimit {
        /** Time that was lost since a timer was late is made up for, but not more than this. */
        private static final long MAX_CREDIT_NANOS = 20_000_000;

        private static final double NANOS_PER_SECOND = 1e9;

        private final long bytesPerSecond;
        private long freeAtNanos;
        private boolean used;

        SharedLimit(long bytesPerSecond) {
            this.bytesPerSecond = bytesPerSecond;
        }

        private synchronized long reserve(int blockBytes, long nowNanos) {
            if (!used) {
                used = true;
                freeAtNanos = nowNanos;
            } else if (nowNanos - freeAtNanos > MAX_CREDIT_NANOS) {
                freeAtNanos = nowNanos - MAX_CREDIT_NANOS;
            }
            long delayNanos = Math.max(0, freeAtNanos - nowNanos);
            freeAtNanos += (long) Math.ceil(blockBytes * NANOS_PER_SECOND / bytesPerSecond);
            return delayNanos;
        }
    }
}
