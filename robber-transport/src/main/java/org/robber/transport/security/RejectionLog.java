package org.robber.transport.security;

import java.net.SocketAddress;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Logs the connections that a port has closed. Counts them only when they are many, so that nobody can fill a disk by
 * connecting. Thread-safe.
 */
final class RejectionLog {
    /** As many are named... */
    static final int NAMED_PER_PERIOD = 10;

    /** ... in a period of this length; the rest are counted. */
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

    /** A connection was closed because of its own doing. */
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

    /** Nobody comes any more. */
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
