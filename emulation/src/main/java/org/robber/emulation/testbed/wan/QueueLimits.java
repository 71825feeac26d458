package org.robber.emulation.testbed.wan;

/**
 * Queue lengths, which scenarios do not have.
 *
 * <p>After a loss, CUBIC continues with 0.7 of its window. Bandwidth times round trip plus queue was its window then. So the link
 * stays busy if the queue holds at least 0.43 of bandwidth times round trip. The queue gets all of that, and at least 50 ms, as in
 * real routers. Round trips also grow in the programs and in the queues of other links.
 *
 * <p>And it holds {@value #MIN_PACKETS} packets at least. Slow links carry few of our large packets a round trip, and many
 * connections may share them. Below four packets each, TCP notices losses by time-outs only, and some connections starve. Of 16 on
 * a link of 0.8 MB/s, the slowest had nothing for 10 s with 16 packets, and a quarter of their share with 64.
 */
public final class QueueLimits {

    private static final int MIN_PACKETS = 64;
    private static final long MIN_NANOS = 50_000_000;
    private static final double NANOS_PER_SECOND = 1e9;

    private QueueLimits() {}

    /** For a link or an access link with this rate, in bytes per second, and this one-way delay. */
    public static long bytes(double rate, long delayNanos, int mtu) {
        if (rate == Double.POSITIVE_INFINITY) {
            return Long.MAX_VALUE;
        }
        double seconds = Math.max(2.0 * delayNanos, MIN_NANOS) / NANOS_PER_SECOND;
        return Math.max((long) MIN_PACKETS * mtu, (long) Math.ceil(rate * seconds));
    }
}
