package org.robber.transport.job.progress;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.transport.control.ControlMessage.Progress;
import org.robber.transport.job.peer.JobContext;

/** Rank 0's watch of one multicast: how far all nodes are, and whether any of it still moves. Not thread-safe. */
final class MulticastWatch {
    private final JobContext context;
    private final NodeProgress nodes;
    private @Nullable CopyWatch copies;

    MulticastWatch(JobContext context, NodeProgress nodes) {
        this.context = context;
        this.nodes = nodes;
    }

    NodeProgress nodes() {
        return nodes;
    }

    /** Watches from now on whether the last copy of a piece is lost. */
    void watch(CopyWatch newCopies) {
        nodes.began().stream().forEach(rank -> newCopies.progressed(rank, nodes.isDone(rank)));
        copies = newCopies;
    }

    /** A node lacks pieces that no peer offers it; returns whether copies are watched here. */
    boolean starved(CopyWatch.Starved node) {
        if (copies == null) {
            return false;
        }
        copies.starved(node);
        return true;
    }

    void heard(int rank, Progress progress, long nowNanos) {
        if (nodes.heard(rank, progress, nowNanos) && copies != null) {
            copies.progressed(rank, nodes.isDone(rank));
        }
    }

    /** The job goes on without this node. */
    void lose(int rank, long nowNanos) {
        nodes.endSilence(nowNanos);
        if (copies != null) {
            copies.lost(rank);
        }
    }

    /**
     * Judges. Null if all is well.
     *
     * @param hanging nodes whose storage hangs
     * @param distrust the failure if a peer has sent corrupt data, and everyone is late
     */
    @Nullable
    Standstill judge(long nowNanos, List<Integer> hanging, @Nullable RobberException distrust) {
        if (copies != null) {
            String gone = copies.gone();
            if (gone != null) {
                return Standstill.ofLostPieces(gone, copies.lost(), nodes, context);
            }
        }
        if (nodes.silentNanos(nowNanos) < context.stallTimeout().toNanos()) {
            return null;
        }
        // A node may hang in the multicast of another channel, and so never begin this one.
        if (!hanging.isEmpty()) {
            return Standstill.ofHangingStorages(hanging, nodes, context);
        }
        if (!nodes.haveAllBegun()) {
            return null;
        }
        boolean joinersAreLate = context.controlPlane()
                .rankZero()
                .map(control -> control.joiners().isWaiting())
                .orElse(false);
        if (nodes.late().isEmpty() && joinersAreLate) {
            // For joiners, each of which has its own limit; when the last of them reaches it, all others still have to
            // end.
            nodes.endSilence(nowNanos);
            return null;
        }
        Standstill late = Standstill.ofLateNodes(nodes, context);
        return distrust == null || late.othersGoOn() ? late : new Standstill(distrust, /* othersGoOn= */ false);
    }
}
