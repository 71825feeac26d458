package org.robber.cli.launch;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException.Reason;

/**
 * How long the launcher waits for its nodes to end. The limit of the job holds until the first node has ended; then a shorter timeout
 * begins. Lost nodes do not count, nor does the time in which the reader of the result takes none of it. Not thread-safe.
 */
final class ExitTimeouts {

    /** How long nodes may take to end by themselves once one of them has failed, and all can know it. */
    private static final Duration FAILURE_GRACE = Duration.ofSeconds(8);

    /** How long nodes may take to end by themselves once one of them has ended well: the machine may be busy. */
    private static final Duration SUCCESS_GRACE = Duration.ofSeconds(60);

    /** How long lost nodes may take to tell why they failed, once all others have ended. */
    private static final Duration LOST_GRACE = Duration.ofSeconds(2);

    private final LongSupplier nanoClock;
    private final long startNanos;
    private final Set<Integer> lost = new HashSet<>();
    private final Map<Integer, Long> endNanos = new HashMap<>();
    private long limitNanos;
    private boolean printing;
    private long printedNanos;

    /**
     * @param limit after which nodes are stopped, or null
     * @param nanoClock a clock such as {@link System#nanoTime}
     */
    ExitTimeouts(@Nullable Duration limit, LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.startNanos = nanoClock.getAsLong();
        this.limitNanos = limit == null ? Long.MAX_VALUE : limit.toNanos();
    }

    /** The job goes on without this node; returns whether that is new. */
    boolean lose(int rank) {
        return lost.add(rank);
    }

    /** A line of the result is being printed from now on, or has been. Rank 0 cannot end while it waits for that. */
    void printing(boolean begins) {
        printing = begins;
        printedNanos = nanoClock.getAsLong() - startNanos;
        limitNanos = Math.max(limitNanos, printedNanos + FAILURE_GRACE.toNanos());
    }

    /** Whether the job goes on, or went on, without some node. */
    boolean hasLost() {
        return !lost.isEmpty();
    }

    /** Whether all nodes have ended but for those that are lost. */
    boolean allEnded(List<NodeProcess> processes) {
        return processes.stream().noneMatch(process -> process.running() && !lost.contains(process.rank()));
    }

    /** How long to wait for what still runs; not above zero if no longer. */
    long leftNanos(List<NodeProcess> processes) {
        if (printing) {
            return Long.MAX_VALUE;
        }
        long now = nanoClock.getAsLong() - startNanos;
        long stopAt = limitNanos;
        long last = 0;
        for (NodeProcess process : processes) {
            if (!process.running() && !lost.contains(process.rank())) {
                stopAt = Math.min(stopAt, graceEndNanos(process, now));
                last = Math.max(last, endNanos(process, now));
            }
        }
        if (allEnded(processes)) {
            stopAt = Math.min(stopAt, last + LOST_GRACE.toNanos());
        }
        return stopAt - now;
    }

    /** The job goes on without nodes whose connection has ended, once their time is over: they may take part to its end, and rank 0 has limits of its own. */
    void loseUnconnected(List<NodeProcess> processes) {
        long now = nanoClock.getAsLong() - startNanos;
        if (processes.stream().anyMatch(process -> process.rank() == 0 && process.running())) {
            processes.stream()
                    .filter(process ->
                            !process.running() && process.lostConnection() && graceEndNanos(process, now) <= now)
                    .forEach(process -> lost.add(process.rank()));
        }
    }

    private long endNanos(NodeProcess process, long now) {
        return endNanos.computeIfAbsent(process.rank(), rank -> now);
    }

    private long graceEndNanos(NodeProcess process, long now) {
        return Math.max(endNanos(process, now), printedNanos) + grace(process).toNanos();
    }

    private static Duration grace(NodeProcess process) {
        if (process.lostConnection()) {
            // The connection between the nodes may last longer. They may go on without the node once it is silent for
            // them, too.
            return process.idleTimeout().plus(FAILURE_GRACE);
        }
        int exitCode = process.exitCode();
        // A job that is partly complete has come to its end as one that is complete.
        return exitCode == 0 || exitCode == Reason.PARTIAL.exitCode() ? SUCCESS_GRACE : FAILURE_GRACE;
    }
}
