package org.robber.transport.reach;

import java.util.random.RandomGenerator;

/** Pauses between attempts: each is twice as long as the one before, up to a limit, and up to half of it is left out at random. */
final class RetryPause {
    static final long FIRST_MILLIS = 50;
    static final long LONGEST_MILLIS = 2000;

    private final RandomGenerator random;
    private long wholeMillis = FIRST_MILLIS;

    RetryPause(RandomGenerator random) {
        this.random = random;
    }

    /** How long to wait before the next attempt. */
    long nextMillis() {
        long millis = random.nextLong(wholeMillis / 2, wholeMillis + 1);
        wholeMillis = Math.min(LONGEST_MILLIS, 2 * wholeMillis);
        return millis;
    }
}
