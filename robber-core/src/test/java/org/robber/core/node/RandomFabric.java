package org.robber.core.node;

import java.util.Arrays;
import org.robber.core.random.SeededRandom;

/** A network in which node cards and connections differ by a factor of a hundred between the slowest and the fastest. */
public final class RandomFabric implements Fabric {
    private final long seed;
    private final long[] cardNanos;

    public RandomFabric(int nodes, long seed) {
        this.seed = seed;
        SeededRandom random = new SeededRandom(~seed);
        cardNanos = new long[nodes];
        Arrays.setAll(cardNanos, rank -> random.nextInt(10) == 0 ? 10_000_000 : 100_000 + random.nextInt(400_000));
    }

    @Override
    public long cardNanos(int rank) {
        return cardNanos[rank];
    }

    @Override
    public long linkNanos(int fromRank, int toRank) {
        long mixed = SeededRandom.forUse(seed, fromRank * 1000L + toRank).nextLong();
        return mixed % 8 == 0 ? 20_000_000 : 200_000;
    }

    @Override
    public long latencyNanos(int fromRank, int toRank) {
        return (fromRank + toRank) % 5 * 2_000_000L;
    }
}
