package org.robber.transport.job;

import org.robber.transport.control.ControlMessage.Publish;
import org.robber.transport.job.peer.JobContext;

/**
 * Tells rank 0 as long as the storage of this node hangs, that is as long as one of its tasks has run for half of the stall limit. If
 * nothing moves in the end, rank 0 knows why. Not thread-safe.
 */
final class HangReports {
    private final JobContext context;
    private final long limitNanos;
    private long reportedNanos;

    HangReports(JobContext context) {
        this.context = context;
        this.limitNanos = context.stallTimeout().toNanos() / 2;
        this.reportedNanos = System.nanoTime() - limitNanos;
    }

    /** To be called a few times within the stall limit. */
    void look() {
        long now = System.nanoTime();
        if (context.storageThreads().longestTaskNanos() >= limitNanos && now - reportedNanos >= limitNanos / 2) {
            reportedNanos = now;
            context.controlPlane().publish(Publish.HANG, new byte[0]);
        }
    }
}
