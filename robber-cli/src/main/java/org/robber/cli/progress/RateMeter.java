package org.robber.cli.progress;

import java.util.ArrayDeque;

/** How fast something has grown over the last seconds. */
final class RateMeter {

    /** Long enough to be steady, short enough to notice a stall. */
    private static final long WINDOW_NANOS = 5_000_000_000L;

    private final ArrayDeque<Sample> samples = new ArrayDeque<>();

    /** The bytes that were there at a time; times never decrease. */
    void record(long nowNanos, long bytes) {
        samples.addLast(new Sample(nowNanos, bytes));
        // one sample outside the window stays: the rate is measured from there
        while (samples.size() > 2 && secondOldestNanos() <= nowNanos - WINDOW_NANOS) {
            samples.removeFirst();
        }
    }

    /** Growth in bytes per second; 0 as long as nothing is known. */
    double bytesPerSecond() {
        if (samples.size() < 2) {
            return 0;
        }
        Sample first = samples.getFirst();
        Sample last = samples.getLast();
        long nanos = last.atNanos - first.atNanos;
        return nanos <= 0 ? 0 : Math.max(0, last.bytes - first.bytes) * 1e9 / nanos;
    }

    private long secondOldestNanos() {
        var oldestFirst = samples.iterator();
        oldestFirst.next();
        return oldestFirst.next().atNanos;
    }

    private record Sample(long atNanos, long bytes) {}
}
