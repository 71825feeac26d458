package org.robber.core.random;

import java.util.function.Function;

/**
 * Seeds and sizes of random tests, the same in every build, so that a change is judged by itself and not by new luck.
 *
 * <p>{@code -Drobber.seed=N} runs the seed of a failure alone, {@code -Drobber.first.seed=N} begins with another seed, and
 * {@code -Drobber.scale=F} runs F times as many. Each failure names its seed.
 */
public final class SeededRuns {

    private static final String SEED = "robber.seed";

    /** What to do with the random numbers of one run. */
    @FunctionalInterface
    public interface Run {
        void with(SeededRandom random);
    }

    /** What to do with the plan of one run. */
    @FunctionalInterface
    public interface PlannedRun<P> {
        void with(P plan) throws Exception;
    }

    private SeededRuns() {}

    /** Runs {@link #count count(usual)} seeds. */
    public static void run(int usual, Run run) {
        long first = firstSeed();
        for (long seed = first; seed < first + count(usual); seed++) {
            try {
                run.with(new SeededRandom(seed));
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("to repeat: -D" + SEED + "=" + seed + "\n" + e, e);
            }
        }
    }

    /** The same with a plan that is drawn first. Each failure names the plan, too. */
    public static <P> void run(int usual, Function<SeededRandom, P> draw, PlannedRun<P> run) {
        run(usual, random -> {
            P plan = draw.apply(random);
            try {
                run.with(plan);
            } catch (Exception | AssertionError e) {
                throw new AssertionError(plan + "\n" + e, e);
            }
        });
    }

    /** The first seed of a test whose seeds follow each other: 1, if no property says another. */
    public static long firstSeed() {
        return firstSeed(1);
    }

    /** The first seed of a test that has a usual one of its own. */
    public static long firstSeed(long usual) {
        return Long.getLong(SEED, Long.getLong("robber.first.seed", usual));
    }

    /** How many seeds to run: 1 if a single seed is asked for, else the usual number times the scale, and at least 1. */
    public static int count(int usual) {
        if (System.getProperty(SEED) != null) {
            return 1;
        }
        double scale = Double.parseDouble(System.getProperty("robber.scale", "1"));
        return (int) Math.max(1, Math.round(usual * scale));
    }
}
