package org.robber.core.random;

import java.util.SplittableRandom;

/**
 * Runs random tests so that each failure can be repeated: the seed of the failing run is part of its message, and {@code
 * -Drobber.seed=N} runs that seed alone.
 */
public final class SeededRuns {

    /** What to do with the random numbers of one run. */
    @FunctionalInterface
    public interface Run {
        void with(SeededRandom random);
    }

    private SeededRuns() {}

    /** Runs {@code count} times, each with a fresh seed; or once, with the seed that was asked for. */
    public static void run(int count, Run run) {
        Long wanted = Long.getLong("robber.seed");
        if (wanted != null) {
            run.with(new SeededRandom(wanted));
            return;
        }
        SplittableRandom seeds = new SplittableRandom();
        for (int i = 0; i < count; i++) {
            runOnce(seeds.nextLong(), run);
        }
    }

    private static void runOnce(long seed, Run run) {
        try {
            run.with(new SeededRandom(seed));
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("to repeat: -Drobber.seed=" + seed + "\n" + e, e);
        }
    }
}
