package org.robber.transport.job;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.core.piece.PieceSet;
import org.robber.transport.link.FailureListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Failures of a transfer at this node end its part in the job, with a reason that users can act on. */
final class TransferFailures implements FailureListener {
    private static final Logger LOG = LoggerFactory.getLogger(TransferFailures.class);

    private final JobContext context;
    private final PeerLinks links;
    private final String phase;
    private final boolean root;

    TransferFailures(JobContext context, PeerLinks links, String phase, boolean root) {
        this.context = context;
        this.links = links;
        this.phase = phase;
        this.root = root;
    }

    /** The failure of a multicast in which nodes were lost, and that all others have completed. */
    static RobberException partial(Map<Integer, RobberException> lost, String phase) {
        RobberException first = lost.values().iterator().next();
        return new RobberException(
                Reason.PARTIAL,
                List.copyOf(lost.keySet()),
                phase,
                lost.size() + " nodes were lost, and all others have everything; the first: " + first.getMessage(),
                first);
    }

    /** The failure of a call that needs all nodes of the job, after some were lost. */
    static RobberException incomplete(Map<Integer, RobberException> lost, String call) {
        RobberException first = lost.values().stream().findFirst().orElse(null);
        return new RobberException(
                Reason.NETWORK,
                List.copyOf(lost.keySet()),
                call,
                call + " needs all nodes of the job, and " + lost.size() + " were lost"
                        + (first == null ? "" : "; the first: " + first.getMessage()),
                first);
    }

    @Override
    public void here(Throwable cause) {
        if (cause instanceof RobberException told) {
            end(new RobberException(
                    told.reason(),
                    List.of(context.rank()),
                    phase,
                    context.describe(context.rank()) + ": " + told.getMessage(),
                    told));
            return;
        }
        Reason storage = root ? Reason.SOURCE : Reason.DESTINATION;
        Reason reason = cause instanceof IOException ? storage : Reason.INTERNAL;
        end(new RobberException(
                reason,
                List.of(context.rank()),
                phase,
                context.describe(context.rank()) + " failed during '" + phase + "': " + cause,
                cause));
    }

    @Override
    public void starved(PieceSet pieces) {
        context.controlPlane()
                .publish(NettyCommunicator.STARVED, new CopyWatch.Starved(context.rank(), phase, pieces).encode());
    }

    /** No node can get data that the root can't read. */
    private void end(RobberException failure) {
        if (root) {
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
                .publish(
                        NettyCommunicator.DISTRUST,
                        (rank + " " + failure.getMessage()).getBytes(StandardCharsets.UTF_8));
        if (!root && left.stream().allMatch(context::isJoiner)) {
            context.controlPlane().giveUp(failure);
        }
    }
}
