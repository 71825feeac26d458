package org.robber.transport.job;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.Storage;
import org.robber.core.topology.Overlay;
import org.robber.transport.job.peer.ChannelMembers;
import org.robber.transport.job.peer.MulticastGroup;
import org.robber.transport.job.peer.PeerLinks;
import org.robber.transport.job.peer.RunningTransfer;
import org.robber.transport.job.progress.NodeProgress;
import org.robber.transport.join.JoinableMulticast;
import org.robber.transport.link.PeerLink;
import org.robber.transport.link.Transfer;
import org.robber.transport.link.frame.MessagesSent;
import org.robber.transport.rendezvous.BlockingCalls;

/** A multicast over the connections of a channel. */
final class MulticastInPieces extends ActiveMulticast {
    private final PeerLinks links;
    private final CallTerms terms;
    private final @Nullable JoinableMulticast offer;
    private final Overlay overlay;
    private final RunningTransfer running;
    private final Transfer transfer;

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
            CallTerms terms,
            Storage data,
            @Nullable JoinableMulticast offer) {
        super(
                job,
                links,
                terms.phase(),
                terms.isRoot(),
                terms.placement().hasSingleRoot() ? terms.begin().rootRank() : NodeProgress.SEVERAL_ROOTS,
                terms.begin().totalBytes(),
                transfers.tally(terms));
        MulticastGroup group = members.group();
        this.links = links;
        this.terms = terms;
        this.offer = offer;
        this.overlay = members.overlay();
        this.transfer = transfers.create(
                terms.begin(), terms.placement(), terms.possession(), data, group, overlay, tally, failures);
        this.running = new RunningTransfer(terms.begin(), transfer, group);
        if (job.rank() == 0) {
            job.progress().watchCopies(terms.phase(), group.ranks(), terms.placement());
        }
        terms.check().verified(transfer).whenComplete((here, problem) -> {
            if (problem == null) {
                hasAll(terms.collectiveCall());
            } else {
                fail(problem);
            }
        });
        report(transfers, transfer::progressBytes, terms.begin().totalBytes());
    }

    /** Begins to move the data. */
    void start() {
        links.multicast().begin(running, overlay);
        links.joiners().begin(running);
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
    void awaitEnd(BlockingCalls waiting) {
        super.awaitEnd(waiting);
        waiting.until(failures.unlessLate(transfer.finished()), phase());
        links.multicast().end();
        countMessages(links.all(), waiting);
        countMessages(links.joiners().end(), waiting);
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
        return waiting.until(transfer.digestOfAll(), phase());
    }

    @Override
    void lost(int rank, RobberException why) {
        // Peers offer what that node has given them; if it was the last with a piece, the watch of copies fails the
        // job.
    }

    @Override
    void close(RobberException why) {
        transfer.close(why);
    }

    @Override
    void release() {
        transfer.release();
    }
}
