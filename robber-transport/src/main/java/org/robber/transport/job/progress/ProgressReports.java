package org.robber.transport.job.progress;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.robber.transport.sockets.AwakeClock;

/**
 * Reports to rank 0 how many bytes this node has, when that has changed, and not more often than rank 0 can handle from all nodes. Rank 0
 * may begin later, and of reports from before it keeps only the last of each node; so each is said again a few times within the stall limit.
 */
public final class ProgressReports {
    /** How often nodes of a small job report, and listeners are called. */
    public static final long PERIOD_MILLIS = 250;

    /** The most that a clock goes on between two looks, one of which is due in each period. */
    private static final Duration LONGEST_GAP = Duration.ofMillis(8 * PERIOD_MILLIS);

    /** All nodes together report at most this often. */
    private static final int MOST_PER_SECOND = 2000;

    /** A node that stands still is not to be mistaken for one whose report is not due. */
    private static final int LEAST_PER_STALL_LIMIT = 4;

    private final LongSupplier doneBytes;
    private final LongConsumer report;
    private final Runnable watch;
    private final long looksPerReport;
    private long reportedBytes = -1;
    private long looksSinceReport;

    private ProgressReports(LongSupplier doneBytes, LongConsumer report, Runnable watch, long looksPerReport) {
        this.looksPerReport = looksPerReport;
        this.doneBytes = doneBytes;
        this.report = report;
        this.watch = watch;
    }

    /**
     * Starts reporting.
     *
     * @param rank of this node: nodes take turns within the period
     * @param nodes of the job
     * @param stallTimeout how long a node may stand still
     * @param watch called as often, whether anything has changed or not
     * @return to be cancelled when there is nothing more to report
     */
    public static ScheduledFuture<?> start(
            EventLoop loop,
            int rank,
            int nodes,
            Duration stallTimeout,
            LongSupplier doneBytes,
            LongConsumer report,
            Runnable watch) {
        long periodMillis = periodMillis(nodes, stallTimeout);
        return loop.scheduleAtFixedRate(
                new ProgressReports(doneBytes, report, watch, repeatMillis(stallTimeout) / periodMillis)::look,
                periodMillis * (rank % nodes) / nodes,
                periodMillis,
                TimeUnit.MILLISECONDS);
    }

    /** A clock for those that look once in a period whether anything moves: it does not count the time in which this process was suspended. */
    public static LongSupplier watchClock() {
        return new AwakeClock(System::nanoTime, LONGEST_GAP);
    }

    static long periodMillis(int nodes, Duration stallTimeout) {
        long bySize = Math.max(PERIOD_MILLIS, nodes * 1000L / MOST_PER_SECOND);
        return Math.max(1, Math.min(bySize, repeatMillis(stallTimeout)));
    }

    private static long repeatMillis(Duration stallTimeout) {
        return stallTimeout.toMillis() / LEAST_PER_STALL_LIMIT;
    }

    private void look() {
        watch.run();
        long done = doneBytes.getAsLong();
        looksSinceReport++;
        if (done != reportedBytes || looksSinceReport >= looksPerReport) {
            reportedBytes = done;
            looksSinceReport = 0;
            report.accept(done);
        }
    }
}
