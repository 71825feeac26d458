package org.robber.emulation.simulator;

/** Processors that some nodes share: what is to be done first is done first, by whichever is free first. */
final class Processors {
    private final long[] freeNanos;
    private long workedNanos;

    Processors(int cores) {
        this.freeNanos = new long[cores];
    }

    /** Works as long as that, as soon as possible; returns when it is done. */
    long work(long nowNanos, double costNanos) {
        int first = 0;
        for (int core = 1; core < freeNanos.length; core++) {
            if (freeNanos[core] < freeNanos[first]) {
                first = core;
            }
        }
        long nanos = (long) costNanos;
        workedNanos += nanos;
        freeNanos[first] = Math.max(nowNanos, freeNanos[first]) + nanos;
        return freeNanos[first];
    }

    /** What they have been given to do until now, together. */
    long workedNanos() {
        return workedNanos;
    }
}
