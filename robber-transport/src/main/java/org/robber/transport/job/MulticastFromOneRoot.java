package org.robber.transport.job;

import java.util.List;
import java.util.Set;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.Storage;
import org.robber.transport.job.peer.MulticastGroup;
import org.robber.transport.job.peer.PeerLinks;
import org.robber.transport.link.TransferTally;

/** A multicast that does not go in pieces: all that a node wants comes from the root. */
abstract class MulticastFromOneRoot extends ActiveMulticast {
    /** Counts tell how many bytes came from whom, not in which pieces. */
    private static final int ONLY_PIECE = 0;

    private final MulticastGroup group;
    final Storage data;
    final int rootRank;

    /** @throws RobberException if the root was lost in an earlier multicast */
    MulticastFromOneRoot(
            TransferFactory transfers,
            NettyJob job,
            PeerLinks links,
            MulticastGroup group,
            String phase,
            Storage data,
            int rootRank) {
        super(
                job,
                links,
                phase,
                group.requireRoot(job.context(), rootRank) == group.number(job.rank()),
                rootRank,
                data.sizeBytes(),
                new TransferTally(
                        job.context().knownNodes()::topology,
                        data.sizeBytes(),
                        job.rank() == rootRank ? data.sizeBytes() : 0,
                        /* reusedBytes= */ 0));
        this.group = group;
        this.data = data;
        this.rootRank = rootRank;
        report(transfers, tally::progressBytes, data.sizeBytes());
    }

    /** Whether this node has all, or the multicast has ended here. The storage is the user's again then. */
    final boolean isOver() {
        return verified().isDone();
    }

    /** Ends the job for all: what the others lack is gone with the root, which is lost. */
    final void failWithoutRoot() {
        RobberException why = job.lost().get(rootRank);
        job.context()
                .controlPlane()
                .fail(new RobberException(
                        why == null ? Reason.NETWORK : why.reason(),
                        List.of(rootRank),
                        phase(),
                        "all data of '" + phase() + "' were lost with their root: "
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
    final void close(RobberException why) {
        fail(why);
    }

    @Override
    final void release() {
        // It holds nothing.
    }
}
