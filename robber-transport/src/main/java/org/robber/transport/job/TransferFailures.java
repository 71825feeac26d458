package org.robber.transport.job;

import com.google.common.collect.ImmutableSet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.core.piece.PieceSet;
import org.robber.transport.control.ControlMessage.Publish;
import org.robber.transport.job.peer.JobContext;
import org.robber.transport.job.peer.PeerLinks;
import org.robber.transport.job.progress.CopyWatch;
import org.robber.transport.link.FailureListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Failures of a transfer at this node end its part in the job, with a reason that users can act on. */
final class TransferFailures implements FailureListener {
    private static final Logger LOG = LoggerFactory.getLogger(TransferFailures.class);

    /** No node can get data that their owner can't read, and no node can go on after a wrong call. */
    private static final ImmutableSet<Reason> OF_ALL =
            ImmutableSet.of(Reason.SOURCE, Reason.SOURCE_CHANGED, Reason.USAGE);

    private final JobContext context;
    private final PeerLinks links;
    private final String phase;
    private final boolean root;
    private final Consumer<PieceSet> starved;

    private TransferFailures(
            JobContext context, PeerLinks links, String phase, boolean root, Consumer<PieceSet> starved) {
        this.context = context;
        this.links = links;
        this.phase = phase;
        this.root = root;
        this.starved = starved;
    }

    /** Rank 0 learns of pieces that no peer has. */
    static TransferFailures ofMulticast(JobContext context, PeerLinks links, String phase, boolean root) {
        return new TransferFailures(
                context,
                links,
                phase,
                root,
                pieces -> context.controlPlane()
                        .publish(Publish.STARVED, new CopyWatch.Starved(context.rank(), phase, pieces).encode()));
    }

    /** An exchange needs all its nodes. It fails as soon as one of them is lost, whatever pieces that node has had. */
    static TransferFailures ofExchange(JobContext context, PeerLinks links, String phase) {
        return new TransferFailures(context, links, phase, /* root= */ false, pieces -> {});
    }

    /** The failure of a multicast in which nodes were lost, and that all others have completed. */
    static RobberException partial(Map<Integer, RobberException> lost, String phase) {
        RobberException first = lost.values().iterator().next();
        return new RobberException(
                Reason.PARTIAL,
                List.copyOf(lost.keySet()),
                phase,
                lost.size() == 1
                        ? "1 node was lost, and all others have everything: " + first.getMessage()
                        : lost.size() + " nodes were lost, and all others have everything; the first: "
                                + first.getMessage(),
                first);
    }

    /** The failure of an exchange that needs a node that is lost. */
    static RobberException incomplete(int rank, RobberException lost, String call) {
        return new RobberException(
                Reason.NETWORK,
                List.of(rank),
                call,
                "'" + call + "' lacks a node that is lost: " + lost.getMessage(),
                lost);
    }

    /** The end of a transfer of which all nodes have everything: fails if the peers don't agree on it in the time of no progress. */
    CompletableFuture<Void> unlessLate(CompletableFuture<Void> finished) {
        return finished.copy()
                .orTimeout(context.stallTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .exceptionally(problem -> {
                    throw problem instanceof TimeoutException ? late() : new CompletionException(problem);
                });
    }

    private RobberException late() {
        RobberException late = context.failure(
                Reason.NETWORK,
                context.rank(),
                phase,
                "all nodes have everything, but a connected peer has not said so for "
                        + context.stallTimeout().toSeconds() + " s: run it again with -vv and report this");
        context.controlPlane().fail(late);
        return late;
    }

    @Override
    public void here(Throwable cause) {
        Reason reason = Reason.INTERNAL;
        String why = String.valueOf(cause);
        if (cause instanceof RobberException told) {
            reason = told.reason();
            why = String.valueOf(told.getMessage());
        } else if (cause instanceof IOException || cause instanceof UncheckedIOException) {
            reason = root ? Reason.SOURCE : Reason.DESTINATION;
        }
        end(new RobberException(
                reason,
                List.of(context.rank()),
                phase,
                context.describe(context.rank()) + " failed during '" + phase + "': " + why,
                cause));
    }

    @Override
    public void starved(PieceSet pieces) {
        starved.accept(pieces);
    }

    private void end(RobberException failure) {
        if (root || OF_ALL.contains(failure.reason())) {
            context.controlPlane().fail(failure);
        } else {
            context.controlPlane().giveUp(failure);
        }
    }

    @Override
    public void peer(int rank, String why, Set<Integer> left) {
        if (context.isJoiner(rank)) {
            LOG.warn("sends away {}: {}", context.describe(rank), why);
            return;
        }
        links.lose(rank);
        RobberException failure = context.failure(Reason.INTEGRITY, rank, phase, why);
        LOG.warn("listens to a peer no longer: {}", failure.getMessage());
        // If nothing moves any more in the end, this is why.
        context.controlPlane()
                .publish(Publish.DISTRUST, (rank + " " + failure.getMessage()).getBytes(StandardCharsets.UTF_8));
        if (!root && left.stream().allMatch(context::isJoiner)) {
            context.controlPlane().giveUp(failure);
        }
    }
}
