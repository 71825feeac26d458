package org.robber.transport.job;

import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.TransferStats;
import org.robber.transport.control.ControlMessage.Progress;
import org.robber.transport.job.peer.PeerLinks;
import org.robber.transport.link.TransferTally;
import org.robber.transport.rendezvous.BlockingCalls;
import org.robber.transport.rendezvous.ControlPlane.CollectiveCall;

/** A multicast of a channel that has begun and isn't flushed. Ends with a call through rank 0, in which each node arrives that has all. */
abstract class ActiveMulticast {
    final NettyJob job;
    final TransferFailures failures;
    final TransferTally tally;
    private final String phase;
    private final CompletableFuture<CollectiveCall> verified = new CompletableFuture<>();
    private final CompletableFuture<CollectiveCall> everyoneHasIt;
    private @Nullable ScheduledFuture<?> reports;

    /**
     * @param isRoot whether this node is a root
     * @param shownRoot as in {@link org.robber.transport.job.progress.ProgressBoard#begin}
     */
    ActiveMulticast(
            NettyJob job,
            PeerLinks links,
            String phase,
            boolean isRoot,
            int shownRoot,
            long totalBytes,
            TransferTally tally) {
        this.job = job;
        this.failures = TransferFailures.ofMulticast(job.context(), links, phase, isRoot);
        this.tally = tally;
        this.phase = phase;
        this.everyoneHasIt = verified.thenCompose(last -> last.arrive().thenApply(all -> {
            job.progress().end(phase);
            return last;
        }));
        if (job.rank() == 0) {
            job.progress().begin(phase, totalBytes, shownRoot);
        }
    }

    /** Tells rank 0 from now on how far this node is. To be called when the multicast is made. */
    final void report(TransferFactory transfers, LongSupplier doneBytes, long totalBytes) {
        reports =
                transfers.reports(doneBytes, done -> new Progress(phase, done, totalBytes, tally.receivedByCluster()));
    }

    /** Tells rank 0 no more how far this node is. */
    final void endReports() {
        if (reports != null) {
            reports.cancel(false);
        }
    }

    /**
     * All is here, and is what the root has.
     *
     * @param last the call in which this node arrives with that
     */
    final void hasAll(CollectiveCall last) {
        verified.complete(last);
    }

    /** This node will not have all. */
    final void fail(Throwable why) {
        verified.completeExceptionally(why);
    }

    /** The multicast, for people. */
    final String phase() {
        return phase;
    }

    /** Completes when all of it is here, and is what the root has. */
    final CompletableFuture<?> verified() {
        return verified;
    }

    /** Returns when all nodes have all. */
    final void awaitEveryone(BlockingCalls waiting) {
        waiting.until(everyoneHasIt, phase);
    }

    /** Returns once every node has everything, and no message is left to send. */
    void awaitEnd(BlockingCalls waiting) {
        try {
            awaitEveryone(waiting);
        } finally {
            endReports();
        }
        job.progress().tell();
    }

    /** The nodes that were lost when all others had everything, by rank: the same on every node. To be asked after {@link #awaitEnd}. */
    final SortedSet<Integer> lost() {
        return everyoneHasIt.join().lost();
    }

    /** Counts of what it has moved, as this node sees it. */
    final TransferStats stats() {
        return tally.stats();
    }

    /** This node was lost. May be told twice. Thread-safe. */
    abstract void lost(int rank, RobberException why);

    /** Ends it at this node. Thread-safe. */
    abstract void close(RobberException why);

    /** Gives back its memory when nothing of it goes on. */
    abstract void release();
}
