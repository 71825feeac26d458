package org.robber.transport.job;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.transport.collective.Exchange;
import org.robber.transport.link.Transfer;

/**
 * Follows how far this node is with an exchange. No defect and no silent network can make it wait for ever: the job fails when this node has
 * got nothing for as long as a node may make no progress. Other members may still be at an earlier exchange; that time does not count. Not thread-safe.
 */
final class StandstillWatch {
    private final JobContext context;
    private final Exchange exchange;
    private final Transfer transfer;
    private final BooleanSupplier earlierAreOver;
    private final LongSupplier nanoClock;
    private long activityBytes = -1;
    private long changedNanos;

    /** @param earlierAreOver whether all members have ended the exchanges before */
    StandstillWatch(
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
    void look() {
        long now = nanoClock.getAsLong();
        long done = transfer.progressBytes();
        exchange.progress().accept(done);
        long activity = transfer.activityBytes();
        if (activity != activityBytes || transfer.completed().isDone() || !earlierAreOver.getAsBoolean()) {
            activityBytes = activity;
            changedNanos = now;
        } else if (now - changedNanos > context.stallTimeout().toNanos()) {
            context.controlPlane()
                    .fail(new RobberException(
                            Reason.NETWORK,
                            List.of(context.rank()),
                            exchange.call(),
                            context.describe(context.rank()) + " has got nothing for "
                                    + context.stallTimeout().toSeconds() + " s during '" + exchange.call()
                                    + "', and lacks " + (exchange.layout().totalBytes() - done) + " bytes"));
        }
    }
}
