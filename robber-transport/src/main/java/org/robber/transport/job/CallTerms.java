package org.robber.transport.job;

import java.util.List;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.Storage;
import org.robber.core.protocol.Message.Begin;
import org.robber.core.topology.DataPlacement;
import org.robber.transport.rendezvous.ControlPlane.CollectiveCall;

/**
 * A multicast over the connections of a channel: what all nodes agree on, and what this node brings along.
 *
 * @param phase the multicast, for people
 * @param begin what peers compare
 * @param placement who has the pieces, by the numbers of the nodes
 * @param possession what this node has
 * @param check of the data at the end
 * @param collectiveCall this multicast on the control connections, begun
 */
record CallTerms(
        String phase,
        Begin begin,
        DataPlacement placement,
        InitialPieces possession,
        RootDigest check,
        CollectiveCall collectiveCall) {

    /** The terms of a multicast. Fails if the root was lost. */
    static CallTerms ofMulticast(
            TransferFactory transfers,
            NettyJob job,
            MulticastGroup group,
            long channelNumber,
            long sequence,
            Storage data,
            int rootRank,
            boolean resumed) {
        JobContext context = transfers.context();
        if (group.number(rootRank) < 0) {
            throw new RobberException(
                    Reason.NETWORK,
                    List.of(rootRank),
                    "multicast",
                    context.describe(rootRank) + ", the root, was lost");
        }
        Begin begin = transfers.begin(sequence, data, rootRank);
        // The storage is the user's, and may throw: before the others hear of the call.
        InitialPieces possession = transfers.initialPieces(begin, data, resumed);
        String phase = "multicast " + sequence + (channelNumber == 0 ? "" : " on channel " + channelNumber);
        CollectiveCall call = context.controlPlane()
                .begin(phase + (resumed ? ", resumed," : "") + " of " + begin.totalBytes() + " bytes in pieces of "
                        + begin.pieceBytes() + " from rank " + rootRank);
        return new CallTerms(
                phase,
                begin,
                DataPlacement.ofRoot(group.number(rootRank), possession.pieces().capacity()),
                possession,
                new RootDigest(context, job, channelNumber, begin, phase),
                call);
    }

    /** Whether the node is the root. */
    boolean isRoot(int rank) {
        return begin.rootRank() == rank;
    }
}
