package org.robber.emulation.simulator;

/** Processors that some nodes share. Work is done in the order in which it comes. */
final class Processors {
    private final long[] freeNanos;

    Processors(int cores) {
        this.freeNanos = new long[cores];
    }

    /** Does work of this cost as soon as possible from a time on; returns when it is done. */
    long work(long fromNanos, double costNanos) {
        int best = 0;
        for (int core = 1; core < freeNanos.length; core++) {
            if (isBetter(freeNanos[core], freeNanos[best], fromNanos)) {
                best = core;
            }
        }
        freeNanos[best] = Math.max(fromNanos, freeNanos[best]) + (long) costNanos;
        return freeNanos[best];
    }

    /** Of processors that are free in time, the last one to be free is best: another would stand idle until then. */
    private static boolean isBetter(long freeNanos, long otherFreeNanos, long fromNanos) {
        return otherFreeNanos > fromNanos
                ? freeNanos < otherFreeNanos
                : freeNanos <= fromNanos && freeNanos > otherFreeNanos;
    }
}
