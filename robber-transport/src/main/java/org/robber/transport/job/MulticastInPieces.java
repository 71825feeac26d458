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
import org.robber.transport.job.peer.ChannelMembers;
import org.robber.transport.job.peer.LinksFromJoiners;
import org.robber.transport.job.peer.MulticastGroup;
import org.robber.transport.job.peer.PeerLinks;
import org.robber.transport.job.peer.RunningTransfer;
import org.robber.transport.job.progress.NodeProgress;
import org.robber.transport.join.JoinableMulticast;
import org.robber.transport.link.PeerLink;
import org.robber.transport.link.Transfer;
import org.robber.transport.link.TransferTally;
import org.robber.transport.link.frame.MessagesSent;
import org.robber.transport.rendezvous.BlockingCalls;

/** A multicast over the connections of a channel. */
final class MulticastInPieces implements ActiveMulticast {
    private final NettyJob job;
    private final PeerLinks links;
    private final LinksFromJoiners joiners;
    private final CallTerms terms;
    private final @Nullable JoinableMulticast offer;
    private final Overlay overlay;
    private final RunningTransfer running;
    private final Transfer transfer;
    private final TransferFailures failures;
    private final TransferTally tally;
    private final CompletableFuture<?> verified;
    private final CompletableFuture<byte[]> everyoneHasIt;
    private final ScheduledFuture<?> reports;

    /**
     * A multicast that has begun, and whose data do not move yet.
     *
     * @param offer to nodes that may join it; null if none may
     */
    MulticastInPieces(
            TransferFactory transfers,
            NettyJob job,
            ChannelMembers members,
            PeerLinks links,
            LinksFromJoiners joiners,
            CallTerms terms,
            Storage data,
            @Nullable JoinableMulticast offer) {
        MulticastGroup group = members.group();
        this.job = job;
        this.links = links;
        this.joiners = joiners;
        this.terms = terms;
        this.offer = offer;
        this.overlay = members.overlay();
        this.tally = transfers.tally(terms);
        this.failures = TransferFailures.ofMulticast(transfers.context(), links, terms.phase(), terms.isRoot());
        this.transfer = transfers.create(
                terms.begin(), terms.placement(), terms.possession(), data, group, overlay, tally, failures);
        this.running = new RunningTransfer(terms.begin(), transfer, group);
        if (job.rank() == 0) {
            job.progress()
                    .begin(
                            terms.phase(),
                            terms.begin().totalBytes(),
                            terms.placement().hasSingleRoot() ? terms.begin().rootRank() : NodeProgress.SEVERAL_ROOTS);
            job.progress().watchCopies(terms.phase(), group.ranks(), terms.placement());
        }
        this.verified = terms.check().verified(transfer);
        this.everyoneHasIt = verified.thenCompose(here -> terms.collectiveCall().arrive())
                .thenApply(all -> {
                    job.progress().end(terms.phase());
                    return all;
                });
        this.reports = transfers.reports(
                transfer::progressBytes,
                done -> new Progress(terms.phase(), done, terms.begin().totalBytes(), tally.receivedByCluster()));
    }

    /** Begins to move the data. */
    void start() {
        links.multicast().begin(running, overlay);
        joiners.begin(running);
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
        } finally {
            reports.cancel(false);
        }
        job.progress().tell();
        links.multicast().end();
        countMessages(links.all(), waiting);
        countMessages(joiners.end(), waiting);
        if (offer != null) {
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
