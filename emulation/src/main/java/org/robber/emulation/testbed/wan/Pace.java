package org.robber.emulation.testbed.wan;

/**
 * How often to look for packets. While little comes, each is looked for at once. While much comes, waking up for each would
 * cost several times what moving it costs, so then we rest in between; packets are late by the rest at most, and rates do not
 * suffer, as queues run in virtual time.
 */
final class Pace {

    /** A delay of the network grows by a fortieth on average while much comes: half a rest where it begins, half where it ends. */
    private static final long DELAY_SHARE = 40;

    private static final long SHORTEST_REST_NANOS = 50_000;
    private static final long LONGEST_REST_NANOS = 500_000;

    private long restNanos = SHORTEST_REST_NANOS;
    private long lookedNanos = Long.MIN_VALUE;
    private boolean much;

    /** Adapts to a network in which this is the shortest delay. */
    void suit(long shortestDelayNanos) {
        restNanos = Math.min(Math.max(shortestDelayNanos / DELAY_SHARE, SHORTEST_REST_NANOS), LONGEST_REST_NANOS);
    }

    /** Until when to rest; not in the future if at once is the time to look. */
    long restUntilNanos() {
        return much ? lookedNanos + restNanos : Long.MIN_VALUE;
    }

    /** Says that we waited for something, after we had rested, and that something came. */
    void waited(long fromNanos, long toNanos) {
        much = toNanos - fromNanos < restNanos;
        lookedNanos = toNanos;
    }
}
