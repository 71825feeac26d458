package org.robber.emulation.testbed.wan;

/**
 * Decides how often to poll for packets. At a low rate, each packet wakes the process at once. At a high rate waking up would cost
 * more than moving packets, so the process pauses. Packets found after a pause count as arrived in its middle, and packets due
 * before the middle of the next pause leave now. So packets are early or late by at most half a pause, and on time on average.
 * Rates do not suffer, as queues run in virtual time.
 *
 * <p>Waking up takes a while, on some virtual machines a tenth of a millisecond, and each packet would pay for it twice on its way.
 * How long is learned from how late waits for a time end. So such waits end that much earlier, and what wakes us is taken to have come
 * that long ago.
 */
final class PollingPace {

    /** So much of a delay is a rest. */
    private static final long DELAY_SHARE = 20;

    private static final long SHORTEST_REST_NANOS = 50_000;
    private static final long LONGEST_REST_NANOS = 1_000_000;

    /** A later wake-up means that no processor was free, and predicts nothing. */
    private static final long LONGEST_WAKING_NANOS = 250_000;

    /** The mean is of about so many. */
    private static final int WAKINGS = 16;

    private long restNanos = SHORTEST_REST_NANOS;
    private long lookedNanos = Long.MIN_VALUE;
    private long cameNanos = Long.MIN_VALUE;
    private boolean much;
    private double wakingNanos;

    /** Adapts to a network in which this is the shortest delay. */
    void suit(long shortestDelayNanos) {
        restNanos = Math.min(Math.max(shortestDelayNanos / DELAY_SHARE, SHORTEST_REST_NANOS), LONGEST_REST_NANOS);
    }

    /** Until when to rest; not in the future if at once is the time to look. */
    long restUntilNanos() {
        return much ? lookedNanos + restNanos : Long.MIN_VALUE;
    }

    /** Events due until this time are handled now. */
    long untilNanos(long nowNanos) {
        return much ? Math.max(nowNanos, lookedNanos + restNanos / 2) : nowNanos;
    }

    /** How long to wait for something to come until this is due; 0 if it is due, or not worth a wait. */
    long waitNanos(long nowNanos, long dueNanos) {
        return Math.max(0, dueNanos - nowNanos - (long) wakingNanos);
    }

    /** Says that we waited for a time, and how much later it was when we went on. */
    void wokeUp(long lateNanos) {
        if (lateNanos >= 0 && lateNanos <= LONGEST_WAKING_NANOS) {
            wakingNanos += (lateNanos - wakingNanos) / WAKINGS;
        }
    }

    /** When that which the last wait has found has come. */
    long cameNanos() {
        return cameNanos;
    }

    /** Says that we waited for something, after we had rested, and that something came. */
    void waited(long fromNanos, long toNanos) {
        boolean rested = much && toNanos - fromNanos < restNanos / 2;
        cameNanos = rested
                ? toNanos - Math.min(restNanos, toNanos - lookedNanos) / 2
                : Math.max(fromNanos, toNanos - (long) wakingNanos);
        much = toNanos - fromNanos < restNanos;
        lookedNanos = toNanos;
    }
}
