package org.robber.transport.security;

import java.net.SocketAddress;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Logs the connections that a port has closed. Counts them only when they are many, so that connections cannot
 * fill a disk. Thread-safe.
 */
final class RejectionLog {
    /** The most connections that are named in a period; the rest are counted. */
    static final int NAMED_PER_PERIOD = 10;

    /** The length of a period. */
    static final long PERIOD_NANOS = 60_000_000_000L;

    private final String port;
    private final LongSupplier nanoClock;
    private final Consumer<String> log;
    private long periodStartNanos;
    private int closedInPeriod;

    RejectionLog(String port, LongSupplier nanoClock, Consumer<String> log) {
        this.port = port;
        this.nanoClock = nanoClock;
        this.log = log;
        this.periodStartNanos = nanoClock.getAsLong();
    }

    /** A connection was closed because of what it sent, or did not send. */
    synchronized void closed(SocketAddress peer, String why) {
        long now = nanoClock.getAsLong();
        if (now - periodStartNanos >= PERIOD_NANOS) {
            tellUnnamed();
            periodStartNanos = now;
        }
        closedInPeriod++;
        if (closedInPeriod <= NAMED_PER_PERIOD) {
            log.accept("closed the connection of " + peer + " to " + port + ": " + why);
        }
    }

    /** The port is closed. */
    synchronized void close() {
        tellUnnamed();
    }

    private void tellUnnamed() {
        int unnamed = closedInPeriod - NAMED_PER_PERIOD;
        closedInPeriod = 0;
        if (unnamed > 0) {
            log.accept("closed " + unnamed + " more unauthenticated connections to " + port);
        }
    }
}
