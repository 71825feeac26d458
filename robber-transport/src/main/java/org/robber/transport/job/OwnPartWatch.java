package org.robber.transport.job;

import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.core.meeting.Group;
import org.robber.transport.job.peer.JobContext;
import org.robber.transport.job.progress.ProgressReports;
import org.robber.transport.job.progress.StandstillWatch;

/**
 * Follows a part of a call in which this node reads, writes or combines, and no pieces move. If a storage or an operation hangs there, the job fails as
 * {@link StandstillWatch} says. The part ends with the job, or with the loss of a member, though they hang.
 */
final class OwnPartWatch {
    private final NettyJob job;
    private final Group members;
    private final String call;
    private final CompletableFuture<?> part;
    private final LongSupplier nanoClock = ProgressReports.watchClock();
    private final long beginNanos = nanoClock.getAsLong();

    private OwnPartWatch(NettyJob job, Group members, String call, CompletableFuture<?> part) {
        this.job = job;
        this.members = members;
        this.call = call;
        this.part = part;
    }

    static void begin(NettyJob job, Group members, String call, CompletableFuture<?> part) {
        if (!part.isDone()) {
            new OwnPartWatch(job, members, call, part).lookLater();
        }
    }

    private void lookLater() {
        job.context().sockets().later(this::look, ProgressReports.PERIOD_MILLIS);
    }

    private void look() {
        if (part.isDone()) {
            return;
        }
        RobberException end = end();
        if (end != null) {
            part.completeExceptionally(end);
            return;
        }
        JobContext context = job.context();
        long limitNanos = context.stallTimeout().toNanos();
        if (nanoClock.getAsLong() - beginNanos > limitNanos
                && context.storageThreads().longestTaskNanos() > limitNanos) {
            StandstillWatch.failHanging(context, call);
        }
        lookLater();
    }

    /** Why the call has no end any more; null if it may have. */
    private @Nullable RobberException end() {
        RobberException failure = job.failure();
        if (failure != null) {
            return failure;
        }
        return job.lost().entrySet().stream()
                .filter(lost -> members.dependsOn(lost.getKey()))
                .findFirst()
                .map(lost -> TransferFailures.incomplete(lost.getKey(), lost.getValue(), call))
                .orElse(null);
    }
}
