package org.robber.transport.job;

import io.netty.util.concurrent.ScheduledFuture;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.Storage;
import org.robber.TransferStats;
import org.robber.transport.control.ControlMessage.Progress;
import org.robber.transport.job.peer.MulticastGroup;
import org.robber.transport.job.peer.PeerLinks;
import org.robber.transport.link.TransferTally;
import org.robber.transport.rendezvous.BlockingCalls;
import org.robber.transport.rendezvous.ControlPlane.CollectiveCall;

/** A multicast that does not go in pieces: all that a node wants comes from the root. */
abstract class MulticastFromOneRoot implements ActiveMulticast {
    /** Counts tell how many bytes came from whom, not in which pieces. */
    private static final int ONLY_PIECE = 0;

    final NettyJob job;
    private final MulticastGroup group;
    private final String phase;
    final Storage data;
    final int rootRank;
    final TransferFailures failures;
    final TransferTally tally;
    private final CompletableFuture<CollectiveCall> verified = new CompletableFuture<>();
    private final CompletableFuture<CollectiveCall> everyoneHasIt;
    private final ScheduledFuture<?> reports;

    /** @throws RobberException if the root was lost in an earlier multicast */
    MulticastFromOneRoot(
            TransferFactory transfers,
            NettyJob job,
            PeerLinks links,
            MulticastGroup group,
            String phase,
            Storage data,
            int rootRank) {
        int unused = group.requireRoot(job.context(), rootRank);
        long bytes = data.sizeBytes();
        this.job = job;
        this.group = group;
        this.phase = phase;
        this.data = data;
        this.rootRank = rootRank;
        this.failures = TransferFailures.ofMulticast(job.context(), links, phase, isRoot());
        this.everyoneHasIt = verified.thenCompose(last -> last.arrive().thenApply(all -> {
            job.progress().end(phase);
            return last;
        }));
        this.tally = new TransferTally(
                job.context().knownNodes()::topology, bytes, isRoot() ? bytes : 0, /* reusedBytes= */ 0);
        if (job.rank() == 0) {
            job.progress().begin(phase, bytes, rootRank);
        }
        this.reports = transfers.reports(
                tally::progressBytes, done -> new Progress(phase, done, bytes, tally.receivedByCluster()));
    }

    /** Tells rank 0 no more how far this node is. */
    final void endReports() {
        reports.cancel(false);
    }

    /** Returns when all nodes have all. */
    final void awaitEveryone(BlockingCalls waiting) {
        waiting.until(everyoneHasIt, phase);
    }

    /**
     * All is here, and is what the root has.
     *
     * @param last the call in which this node arrives with that
     */
    final void hasAll(CollectiveCall last) {
        verified.complete(last);
    }

    /** Whether this node has all, or the multicast has ended here. The storage is the user's again then. */
    final boolean isOver() {
        return verified.isDone();
    }

    /** Ends the job for all: what the others lack is gone with the root, which is lost. */
    final void failWithoutRoot() {
        RobberException why = job.lost().get(rootRank);
        job.context()
                .controlPlane()
                .fail(new RobberException(
                        why == null ? Reason.NETWORK : why.reason(),
                        List.of(rootRank),
                        phase,
                        "all data of '" + phase + "' were lost with their root: "
                                + (why == null ? job.context().describe(rootRank) : why.getMessage()),
                        why));
    }

    final boolean isRoot() {
        return job.rank() == rootRank;
    }

    /** These bytes of this node have left for each of these others. */
    final void countSent(List<Integer> ranks, int bytes) {
        ranks.forEach(rank -> tally.sent(rank, bytes));
    }

    /** These bytes have come from this node, and are right. */
    final void countReceived(int rank, int bytes) {
        tally.received(rank, ONLY_PIECE, bytes, /* isNew= */ true);
    }

    /** All nodes of the multicast but this one, and those that are lost by now. */
    final List<Integer> others() {
        Set<Integer> lost = job.lost().keySet();
        return group.ranks().stream()
                .filter(rank -> rank != job.rank() && !lost.contains(rank))
                .toList();
    }

    @Override
    public final String phase() {
        return phase;
    }

    @Override
    public final CompletableFuture<?> verified() {
        return verified;
    }

    @Override
    public void awaitEnd(BlockingCalls waiting) {
        try {
            awaitEveryone(waiting);
            job.progress().tell();
        } finally {
            endReports();
        }
    }

    @Override
    public final SortedSet<Integer> lost() {
        return everyoneHasIt.join().lost();
    }

    @Override
    public final void close(RobberException why) {
        verified.completeExceptionally(why);
    }

    @Override
    public final void release() {
        // It holds nothing.
    }

    @Override
    public final TransferStats stats() {
        return tally.stats();
    }
}
