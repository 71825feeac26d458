package org.robber.core.random;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * A repeatable source of random numbers: the same seed gives the same numbers on every JDK and machine. Not thread-safe
 * and not fit for secrets.
 *
 * <p>The generator is SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
 */
public final class SeededRandom {
    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

    private long state;

    public SeededRandom(long seed) {
        this.state = seed;
    }

    /** A generator for one of several independent uses of a seed; the same seed and use give the same numbers. */
    public static SeededRandom forUse(long seed, long use) {
        return new SeededRandom(mix(seed + GOLDEN_GAMMA * mix(use)));
    }

    /** Any of the 2^64 numbers, all equally likely. */
    public long nextLong() {
        state += GOLDEN_GAMMA;
        return mix(state);
    }

    /** A number from 0 up to, but not including, {@code bound}, all equally likely. */
    public int nextInt(int bound) {
        checkArgument(bound > 0, "bound: %s", bound);
        // Lemire's multiplication with rejection: unbiased, and almost never a second draw.
        long product = (nextLong() >>> 32) * bound;
        long low = product & 0xFFFF_FFFFL;
        if (low < bound) {
            long threshold = (1L << 32) % bound;
            while (low < threshold) {
                product = (nextLong() >>> 32) * bound;
                low = product & 0xFFFF_FFFFL;
            }
        }
        return (int) (product >>> 32);
    }

    /** A number from 0.0 up to, but not including, 1.0. */
    public double nextDouble() {
        return (nextLong() >>> 11) * 0x1.0p-53;
    }

    /** True or false, equally likely. */
    public boolean nextBoolean() {
        return nextLong() < 0;
    }

    /** The numbers from 0 up to, but not including, {@code count} in an order, all orders equally likely. */
    public int[] permutation(int count) {
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            int place = nextInt(i + 1);
            order[i] = order[place];
            order[place] = i;
        }
        return order;
    }

    private static long mix(long z) {
        long mixed = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }
}
