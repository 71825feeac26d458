package org.robber.emulation.testbed.wan;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * A queue that is emptied at a rate, in virtual time: packet i is served at {@code max(arrival(i), through(i-1)) + bytes(i) /
 * rate}. These times do not depend on when the queue is polled: late polling delays packets but never lowers the rate. A packet
 * that finds the queue full is refused (drop-tail).
 *
 * <p>Times of calls must not decrease, and no call may be later than {@link #headNanos()}: whatever is through is taken first.
 */
final class VirtualClockQueue {

    /** The time of an event that never happens. */
    static final long NEVER = Long.MAX_VALUE;

    private static final double NANOS_PER_SECOND = 1e9;
    /** A century; longer times count as never. */
    private static final double LONGEST_NANOS = 3e18;

    private final PacketSlots slots;
    private final PacketFifo fifo;
    private double bytesPerSecond;
    private long limitBytes;
    private long queuedBytes;
    /** When the service of the head began or, later, the rate was last changed, and the rest of the head then. */
    private long sinceNanos;

    private double leftBytes;
    private long headNanos = NEVER;

    VirtualClockQueue(PacketSlots slots) {
        this.slots = slots;
        this.fifo = new PacketFifo(slots);
    }

    /**
     * Changes rate and limit. Queued packets stay and continue at the new rate, also the rest of a packet in service.
     *
     * @param rate bytes per second: 0 lets nothing pass, infinity everything at once
     * @param limit bytes that may be queued; a packet that finds the queue empty is never refused
     */
    void change(long nowNanos, double rate, long limit) {
        checkArgument(rate >= 0, "rate: %s", rate);
        checkArgument(limit >= 0, "limit: %s", limit);
        if (!fifo.isEmpty()) {
            double done = (nowNanos - sinceNanos) * bytesPerSecond / NANOS_PER_SECOND;
            serve(nowNanos, Math.max(0, leftBytes - done), rate);
        }
        bytesPerSecond = rate;
        limitBytes = limit;
    }

    /** Whether packets pass without waiting, now and until the next change. */
    boolean isTransparent() {
        return bytesPerSecond == Double.POSITIVE_INFINITY && fifo.isEmpty();
    }

    /** Adds a packet at the end; false if there is no room for it. */
    boolean offer(long nowNanos, int slot) {
        int bytes = slots.bytes(slot);
        if (fifo.isEmpty()) {
            serve(nowNanos, bytes, bytesPerSecond);
        } else if (queuedBytes + bytes > limitBytes) {
            return false;
        }
        fifo.add(slot);
        queuedBytes += bytes;
        return true;
    }

    /** When the first packet is served; {@link #NEVER} if there is none or the rate is 0. */
    long headNanos() {
        return headNanos;
    }

    /** Removes the first packet, served at {@link #headNanos()}; the service of the next one begins then. */
    int take() {
        int slot = fifo.remove();
        queuedBytes -= slots.bytes(slot);
        if (fifo.isEmpty()) {
            headNanos = NEVER;
        } else {
            serve(headNanos, slots.bytes(fifo.head()), bytesPerSecond);
        }
        return slot;
    }

    long queuedBytes() {
        return queuedBytes;
    }

    private void serve(long nowNanos, double bytes, double rate) {
        sinceNanos = nowNanos;
        leftBytes = bytes;
        // Rounded up, so that no window of time sees more than the rate; endless if the rate is 0 or next to it.
        double nanos = Math.ceil(bytes / rate * NANOS_PER_SECOND);
        headNanos = nanos < LONGEST_NANOS ? nowNanos + (long) nanos : NEVER;
    }
}
