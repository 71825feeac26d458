package org.robber.transport.sockets;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A clock that stands still while this process is suspended, for limits on how long others may do nothing: they may have been suspended,
 * too. It must be read regularly. Between two readings, it goes on by a limited time. Thread-safe.
 */
public final class AwakeClock implements LongSupplier {
    private final LongSupplier nanoClock;
    private final long mostNanos;
    private long readNanos;
    private long awakeNanos;

    /**
     * A clock that begins at 0.
     *
     * @param nanoClock a clock such as {@link System#nanoTime}
     * @param longestGap the most that the clock goes on between two readings; several times the period of the readings
     */
    public AwakeClock(LongSupplier nanoClock, Duration longestGap) {
        this.nanoClock = nanoClock;
        this.mostNanos = TimeUnit.NANOSECONDS.convert(longestGap);
        this.readNanos = nanoClock.getAsLong();
    }

    @Override
    public synchronized long getAsLong() {
        long now = nanoClock.getAsLong();
        awakeNanos += Math.min(mostNanos, now - readNanos);
        readNanos = now;
        return awakeNanos;
    }
}
