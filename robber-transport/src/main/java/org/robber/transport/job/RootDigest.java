package org.robber.transport.job;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.core.topology.DataPlacement.Range;
import org.robber.transport.job.peer.JobContext;
import org.robber.transport.link.Transfer;

/**
 * The digests over all pieces of one multicast, one for each stripe: its root publishes it once it has read everything, and every other node
 * compares its own before it arrives. So what roots have of each other is compared as well.
 */
final class RootDigest {
    /** Causes of a digest that differs though that of each piece was right, and what to do. */
    static final String WHY =
            "; if this job went on with half-written copies, the source has changed in between while its size and time"
                    + " have not: run the same command again; otherwise a member passed on wrong bytes with a digest to"
                    + " match: use --digest=sha256 where members aren't trusted";

    private final JobContext context;
    private final NettyJob job;
    private final String phase;
    private final String topic;
    private final List<Range> stripes;

    /** @param stripes the pieces of each, with the rank of its root */
    RootDigest(JobContext context, NettyJob job, long channelNumber, long sequence, String phase, List<Range> stripes) {
        this.context = context;
        this.job = job;
        this.phase = phase;
        this.topic = "digest of multicast " + sequence + " on channel " + channelNumber;
        this.stripes = stripes;
    }

    private String topic(Range stripe) {
        return topic + " from piece " + stripe.firstPiece();
    }

    /**
     * Completes when all pieces are here and the digests of all stripes are those of their roots; else fails this node. A root publishes
     * that of its own when it is known.
     */
    CompletableFuture<?> verified(Transfer transfer) {
        List<CompletableFuture<?>> all = new ArrayList<>(List.of(transfer.completed()));
        for (Range stripe : stripes) {
            CompletableFuture<byte[]> own = transfer.digestOfAll()
                    .thenApply(known -> transfer.digestOf(stripe.firstPiece(), stripe.endPiece()));
            if (stripe.rank() == context.rank()) {
                own.thenAccept(digest -> context.controlPlane().publish(topic(stripe), digest));
            } else {
                all.add(own.thenCombine(
                        job.publication(stripe.rank(), topic(stripe)),
                        (mine, ofRoot) -> checked(stripe, mine, ofRoot)));
            }
        }
        return CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new));
    }

    private boolean checked(Range stripe, byte[] mine, byte[] ofRoot) {
        if (!Arrays.equals(mine, ofRoot)) {
            throw disagreement(stripe);
        }
        return true;
    }

    private RobberException disagreement(Range stripe) {
        RobberException lie = context.failure(
                Reason.INTEGRITY,
                context.rank(),
                phase,
                "its digest over all pieces differs from that of rank " + stripe.rank() + WHY);
        if (stripes.stream().anyMatch(each -> each.rank() == context.rank())) {
            // Without a root, nobody can go on.
            context.controlPlane().fail(lie);
        } else {
            context.controlPlane().giveUp(lie);
        }
        return lie;
    }

    /** The multicast is over. */
    void forget() {
        stripes.forEach(stripe -> job.forgetPublication(stripe.rank(), topic(stripe)));
    }
}
