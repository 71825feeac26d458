package org.robber.transport.job.progress;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.robber.RobberException.Reason;
import org.robber.transport.collective.exchange.Exchange;
import org.robber.transport.job.peer.JobContext;
import org.robber.transport.link.Transfer;

/**
 * Follows how far this node is with an exchange. No defect and no silent network can make it wait for ever: the job fails when the storage or
 * an operation of this node hangs for as long as a node may make no progress, or when it has got nothing for twice as long. Other members may still be at an
 * earlier exchange; that time does not count. Not thread-safe.
 */
public final class StandstillWatch {
    /**
     * A node whose storage hangs is at fault, and the first to say so. Others wait so many limits, since two storages in a row may each take
     * nearly one.
     */
    private static final int LIMITS_FOR_OTHERS = 2;

    private final JobContext context;
    private final Exchange exchange;
    private final Transfer transfer;
    private final BooleanSupplier earlierAreOver;
    private final LongSupplier nanoClock;
    private long activityBytes = -1;
    private long changedNanos;

    /** @param earlierAreOver whether all members have ended the exchanges before */
    public StandstillWatch(
            JobContext context,
            Exchange exchange,
            Transfer transfer,
            BooleanSupplier earlierAreOver,
            LongSupplier nanoClock) {
        this.context = context;
        this.exchange = exchange;
        this.transfer = transfer;
        this.earlierAreOver = earlierAreOver;
        this.nanoClock = nanoClock;
        this.changedNanos = nanoClock.getAsLong();
    }

    /** To be called a few times a second. */
    public void look() {
        long now = nanoClock.getAsLong();
        exchange.progress().accept(transfer.progressBytes());
        long activity = transfer.activityBytes();
        if (activity != activityBytes || !earlierAreOver.getAsBoolean()) {
            activityBytes = activity;
            changedNanos = now;
            return;
        }
        long limitNanos = context.stallTimeout().toNanos();
        long stillNanos = now - changedNanos;
        if (stillNanos > limitNanos && context.storageThreads().longestTaskNanos() > limitNanos) {
            failHanging(context, exchange.call());
        } else if (stillNanos > LIMITS_FOR_OTHERS * limitNanos
                && !transfer.completed().isDone()) {
            long lackedBytes = exchange.layout().totalBytes() - transfer.progressBytes();
            fail(
                    context,
                    exchange.call(),
                    "it has got nothing for "
                            + LIMITS_FOR_OTHERS * context.stallTimeout().toSeconds() + " s, and lacks " + lackedBytes
                            + " bytes");
        }
    }

    /** Ends the job: the storage or an operation of this node hangs in this call. */
    public static void failHanging(JobContext context, String call) {
        fail(
                context,
                call,
                "reading, writing or combining has hung for "
                        + context.stallTimeout().toSeconds() + " s");
    }

    private static void fail(JobContext context, String call, String what) {
        context.controlPlane().fail(context.failure(Reason.NETWORK, context.rank(), call, what));
    }
}
