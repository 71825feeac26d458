package org.robber.emulation.simulator;

/** Processors that some nodes share. Work is done in order, each time by the processor that is free first. */
final class Processors {
    private final long[] freeNanos;
    private long workedNanos;

    Processors(int cores) {
        this.freeNanos = new long[cores];
    }

    /** Does work of this cost as soon as possible; returns when it is done. */
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

    /** Processor time of all work so far. */
    long workedNanos() {
        return workedNanos;
    }
}
