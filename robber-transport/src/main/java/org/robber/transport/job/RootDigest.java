package org.robber.transport.job;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.core.protocol.Message.Begin;
import org.robber.transport.link.Transfer;

/**
 * The digest over all pieces of one multicast: the root publishes it once it has read everything, and every other node
 * compares its own before it arrives.
 */
final class RootDigest {
    /** Causes of a digest that differs though that of each piece was right, and what to do. */
    static final String WHY =
            "; if this job went on with half-written copies, the source has changed in between while its size and time"
                    + " have not: run the same command again; otherwise a member passed on wrong bytes with a digest to"
                    + " match: use --digest=sha256 where members aren't trusted";

    private final JobContext context;
    private final NettyJob job;
    private final Begin begin;
    private final String phase;
    private final String topic;

    RootDigest(JobContext context, NettyJob job, long channelNumber, Begin begin, String phase) {
        this.context = context;
        this.job = job;
        this.begin = begin;
        this.phase = phase;
        this.topic = "digest of multicast " + begin.sequence() + " on channel " + channelNumber;
    }

    /**
     * Completes when all pieces are here and the digest over all of them is the root's; else fails this node. The root publishes the
     * digest when it is known.
     */
    CompletableFuture<?> verified(Transfer transfer) {
        if (begin.rootRank() != context.rank()) {
            return agreement(transfer);
        }
        transfer.digestOfAll().thenAccept(digest -> context.controlPlane().publish(topic, digest));
        return transfer.completed();
    }

    private CompletableFuture<?> agreement(Transfer transfer) {
        return transfer.completed()
                .thenCombine(transfer.digestOfAll(), (here, digest) -> digest)
                .thenCombine(job.publication(topic), (mine, roots) -> {
                    if (!Arrays.equals(mine, roots)) {
                        throw disagreement();
                    }
                    return true;
                });
    }

    private RobberException disagreement() {
        RobberException lie = context.failure(
                Reason.INTEGRITY,
                context.rank(),
                phase,
                "its digest over all pieces differs from that of rank " + begin.rootRank() + WHY);
        context.controlPlane().giveUp(lie);
        return lie;
    }

    /** The multicast is over. */
    void forget() {
        job.forgetPublication(topic);
    }
}
