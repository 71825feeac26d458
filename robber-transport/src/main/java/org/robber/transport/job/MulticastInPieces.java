package org.robber.transport.job;

import io.netty.util.concurrent.ScheduledFuture;
import java.util.List;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.Storage;
import org.robber.TransferStats;
import org.robber.core.topology.Overlay;
import org.robber.transport.control.ControlMessage.Progress;
import org.robber.transport.join.JoinableMulticast;
import org.robber.transport.link.MessagesSent;
import org.robber.transport.link.PeerLink;
import org.robber.transport.link.Transfer;
import org.robber.transport.link.TransferTally;
import org.robber.transport.rendezvous.BlockingCalls;

/** A multicast over the connections of a channel. */
final class MulticastInPieces implements ActiveMulticast {
    private final NettyJob job;
    private final PeerLinks links;
    private final LinksFromJoiners joiners;
    private final CallTerms terms;
    private final boolean joinable;
    private final Transfer transfer;
    private final TransferFailures failures;
    private final TransferTally tally;
    private final CompletableFuture<?> verified;
    private final CompletableFuture<byte[]> everyoneHasIt;
    private final ScheduledFuture<?> reports;

    private MulticastInPieces(
            TransferFactory transfers,
            NettyJob job,
            PeerLinks links,
            LinksFromJoiners joiners,
            CallTerms terms,
            boolean joinable,
            Transfer transfer,
            TransferFailures failures,
            TransferTally tally) {
        this.job = job;
        this.links = links;
        this.joiners = joiners;
        this.terms = terms;
        this.joinable = joinable;
        this.transfer = transfer;
        this.failures = failures;
        this.tally = tally;
        this.verified = terms.check().verified(transfer);
        this.everyoneHasIt =
                verified.thenCompose(here -> terms.collectiveCall().arrive(new byte[0], payloads -> new byte[0]));
        this.reports = ProgressReports.start(
                transfers.executor(),
                job.rank(),
                job.size(),
                transfers.context().stallTimeout(),
                transfer::progressBytes,
                doneBytes -> transfers
                        .context()
                        .controlPlane()
                        .report(new Progress(
                                terms.phase(), doneBytes, terms.begin().totalBytes(), tally.receivedByCluster())));
    }

    /**
     * Makes ready what moves the data, and announces it to the others when all of it is here.
     *
     * @param joinable whether nodes may join it
     */
    static MulticastInPieces create(
            TransferFactory transfers,
            NettyJob job,
            ChannelMembers members,
            PeerLinks links,
            LinksFromJoiners joiners,
            CallTerms terms,
            Storage data,
            boolean joinable) {
        MulticastGroup group = members.group();
        TransferTally tally = transfers.tally(terms);
        TransferFailures failures =
                TransferFailures.ofMulticast(transfers.context(), links, terms.phase(), terms.isRoot());
        Transfer transfer = transfers.create(
                terms.begin(), terms.placement(), terms.possession(), data, group, members.overlay(), tally, failures);
        if (job.rank() == 0) {
            job.progress()
                    .begin(
                            terms.phase(),
                            terms.begin().totalBytes(),
                            terms.placement().hasSingleRoot() ? terms.begin().rootRank() : NodeProgress.SEVERAL_ROOTS);
            job.progress().watchCopies(group.ranks(), terms.placement());
        }
        return new MulticastInPieces(transfers, job, links, joiners, terms, joinable, transfer, failures, tally);
    }

    /** Begins to move the data. */
    void start(MulticastGroup group, Overlay overlay, @Nullable JoinableMulticast offer) {
        RunningTransfer transferOnLinks = new RunningTransfer(terms.begin(), transfer, group);
        links.multicast().begin(transferOnLinks, overlay);
        joiners.begin(transferOnLinks);
        if (offer != null) {
            terms.collectiveCall().letJoin(offer);
        }
        transfer.start();
    }

    /** At a root: once it has the pieces of the others, reads those of its own that no node has requested. */
    void readRest() {
        transfer.readRest();
    }

    @Override
    public String phase() {
        return terms.phase();
    }

    @Override
    public CompletableFuture<?> verified() {
        return verified;
    }

    @Override
    public void awaitEnd(BlockingCalls waiting) {
        try {
            waiting.until(everyoneHasIt, terms.phase());
            waiting.until(failures.unlessLate(transfer.finished()), terms.phase());
            if (job.rank() == 0) {
                job.progress().end();
            }
        } finally {
            reports.cancel(false);
        }
        links.multicast().end();
        countMessages(links.all(), waiting);
        countMessages(joiners.end(), waiting);
        if (joinable) {
            job.control().joinable(digestOfAll(waiting));
        }
        terms.check().forget();
    }

    /** Adds what these connections have sent, other than bytes of pieces. */
    private void countMessages(List<PeerLink> over, BlockingCalls waiting) {
        for (PeerLink link : over) {
            CompletableFuture<MessagesSent> messages = new CompletableFuture<>();
            link.channel().eventLoop().execute(() -> messages.complete(link.takeMessagesSent()));
            tally.sent(waiting.until(messages, "flush"));
        }
    }

    /** The digest over all pieces. */
    private byte[] digestOfAll(BlockingCalls waiting) {
        if (!transfer.digestOfAll().isDone()) {
            // Where the root is alone, joiners may have pieces from an earlier run that no node has requested.
            transfer.readAll();
        }
        return waiting.until(transfer.digestOfAll(), terms.phase());
    }

    @Override
    public SortedSet<Integer> lost() {
        return terms.collectiveCall().lost();
    }

    @Override
    public TransferStats stats() {
        return tally.stats();
    }

    @Override
    public void lost(int rank, RobberException why) {
        // Peers offer what that node has given them; if it was the last with a piece, the watch of copies fails the
        // job.
    }

    @Override
    public void close(RobberException why) {
        transfer.close(why);
    }

    @Override
    public void release() {
        transfer.release();
    }
}
