package org.robber.transport.job;

import io.netty.util.concurrent.ScheduledFuture;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.robber.transport.control.ControlMessage.Progress;
import org.robber.transport.link.MessagesSent;
import org.robber.transport.link.PeerLink;
import org.robber.transport.link.Transfer;
import org.robber.transport.link.TransferTally;
import org.robber.transport.rendezvous.BlockingCalls;

/**
 * A multicast that has begun and isn't flushed.
 *
 * @param joinable whether nodes may join it
 * @param failures told if the end does not come
 * @param verified completes when all of it is here, and is what the root has
 * @param everyoneHasIt completes when that is so everywhere
 * @param reports of how far this node is, to be cancelled
 */
record ActiveMulticast(
        CallTerms terms,
        boolean joinable,
        Transfer transfer,
        TransferFailures failures,
        TransferTally tally,
        CompletableFuture<?> verified,
        CompletableFuture<byte[]> everyoneHasIt,
        ScheduledFuture<?> reports) {

    /** Begins to report how far this node is, and announces it to the others when all of it is here. */
    static ActiveMulticast start(
            TransferFactory transfers,
            NettyJob job,
            MulticastGroup group,
            CallTerms terms,
            boolean joinable,
            Transfer transfer,
            TransferFailures failures,
            TransferTally tally) {
        long totalBytes = terms.begin().totalBytes();
        if (job.rank() == 0) {
            job.progress()
                    .begin(
                            terms.phase(),
                            totalBytes,
                            terms.placement().hasSingleRoot() ? terms.begin().rootRank() : NodeProgress.SEVERAL_ROOTS);
            job.progress().watchCopies(group.ranks(), terms.placement());
        }
        CompletableFuture<?> verified = terms.check().verified(transfer);
        return new ActiveMulticast(
                terms,
                joinable,
                transfer,
                failures,
                tally,
                verified,
                verified.thenCompose(here -> terms.collectiveCall().arrive(new byte[0], payloads -> new byte[0])),
                ProgressReports.start(
                        transfers.executor(),
                        job.rank(),
                        job.size(),
                        transfers.context().stallTimeout(),
                        transfer::progressBytes,
                        doneBytes -> transfers
                                .context()
                                .controlPlane()
                                .report(new Progress(
                                        terms.phase(), doneBytes, totalBytes, tally.receivedByCluster()))));
    }

    /** Returns once every node has everything, and no message is left to send. */
    void awaitEnd(NettyJob job, BlockingCalls waiting) {
        try {
            waiting.until(everyoneHasIt, terms.phase());
            waiting.until(failures.unlessLate(transfer.finished()), terms.phase());
            if (job.rank() == 0) {
                job.progress().end();
            }
        } finally {
            reports.cancel(false);
        }
    }

    /** Adds what these connections have sent, other than bytes of pieces. */
    void countMessages(List<PeerLink> links, BlockingCalls waiting) {
        for (PeerLink link : links) {
            CompletableFuture<MessagesSent> messages = new CompletableFuture<>();
            link.channel().eventLoop().execute(() -> messages.complete(link.takeMessagesSent()));
            tally.sent(waiting.until(messages, "flush"));
        }
    }

    /** The digest over all pieces. */
    byte[] digestOfAll(BlockingCalls waiting) {
        if (!transfer.digestOfAll().isDone()) {
            // Where the root is alone, joiners may have pieces from an earlier run that no node has requested.
            transfer.readAll();
        }
        return waiting.until(transfer.digestOfAll(), terms.phase());
    }
}
