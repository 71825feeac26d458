package org.robber.cli.request;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.robber.JobOptions;
import org.robber.RobberException;
import org.robber.RobberException.Reason;

/** The time by which a job must have ended, and how much of it is left. Immutable. */
public final class TimeLimit {

    private final Duration length;
    private final long atNanos;
    private final LongSupplier nanoClock;

    private TimeLimit(Duration length, long atNanos, LongSupplier nanoClock) {
        this.length = length;
        this.atNanos = atNanos;
        this.nanoClock = nanoClock;
    }

    /**
     * This long from now.
     *
     * @param nanoClock a clock such as {@link System#nanoTime}
     */
    public static TimeLimit in(Duration length, LongSupplier nanoClock) {
        return new TimeLimit(length, nanoClock.getAsLong() + length.toNanos(), nanoClock);
    }

    /**
     * A limit that began earlier, in another process.
     *
     * @param length of all of it
     * @param left how much of it is left
     */
    public static TimeLimit resumed(Duration length, Duration left, LongSupplier nanoClock) {
        return new TimeLimit(length, nanoClock.getAsLong() + left.toNanos(), nanoClock);
    }

    /** How much time there was in the beginning. */
    public Duration length() {
        return length;
    }

    /** How much time is left; zero once it has passed. */
    public Duration left() {
        return Duration.ofNanos(Math.max(0, atNanos - nanoClock.getAsLong()));
    }

    /** The failure of a command that has not ended in time. */
    public RobberException failure(String command) {
        return new RobberException(
                Reason.DEADLINE,
                List.of(),
                command,
                "'" + command + "' did not end in " + length.toMillis() / 1e3
                        + " s: run it again with a longer --deadline");
    }

    /** The options of a node that waits for the others no longer than until the limit, if there is one. */
    public static JobOptions limit(JobOptions options, @Nullable TimeLimit limit) {
        return limit == null ? options : options.withConnectTimeout(limit.limit(options.connectTimeout()));
    }

    /** The shorter of this time and what is left, at least a millisecond. */
    public Duration limit(Duration other) {
        Duration left = left();
        Duration shorter = left.compareTo(other) < 0 ? left : other;
        return shorter.compareTo(Duration.ofMillis(1)) < 0 ? Duration.ofMillis(1) : shorter;
    }
}
