package org.robber.transport.job;

import java.util.List;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.Storage;
import org.robber.core.protocol.Message.Begin;
import org.robber.core.topology.DataPlacement;
import org.robber.transport.link.Transfer;
import org.robber.transport.rendezvous.ControlPlane.CollectiveCall;

/**
 * A collective call over the connections of a channel: what all nodes agree on, and what this node brings along.
 *
 * @param phase the call, for people
 * @param begin what peers compare
 * @param placement who has and who wants which pieces, by the numbers of the nodes
 * @param possession what this node has
 * @param check of the data at the end
 * @param collectiveCall this call on the control connections, begun
 */
record CallTerms(
        String phase,
        Begin begin,
        DataPlacement placement,
        InitialPieces possession,
        FinalCheck check,
        CollectiveCall collectiveCall) {

    /** A multicast. Fails if the root was lost. */
    static CallTerms ofMulticast(
            TransferFactory transfers,
            NettyCommunicator world,
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
        String phase = "multicast " + sequence + (channelNumber == 0 ? "" : " on channel " + channelNumber);
        CollectiveCall call = context.controlPlane()
                .begin(phase + (resumed ? ", resumed," : "") + " of " + begin.totalBytes() + " bytes in pieces of "
                        + begin.pieceBytes() + " from rank " + rootRank);
        InitialPieces possession = transfers.initialPieces(begin, data, resumed);
        return new CallTerms(
                phase,
                begin,
                DataPlacement.ofRoot(group.number(rootRank), possession.pieces().capacity()),
                possession,
                new RootDigest(context, world, channelNumber, begin, phase),
                call);
    }

    /**
     * Another call, of all nodes of the job.
     *
     * @param name for people
     * @param layout of the data
     */
    static CallTerms ofParts(
            TransferFactory transfers, long sequence, String name, PartLayout layout, DataPlacement placement) {
        Begin begin = transfers.begin(sequence, layout, placement.owners().get(0));
        String phase = name + " " + sequence;
        CollectiveCall call = transfers
                .context()
                .controlPlane()
                .begin(phase + " of " + layout.parts() + " parts of " + layout.partBytes() + " bytes in pieces of "
                        + layout.pieceBytes());
        return new CallTerms(
                phase,
                begin,
                placement,
                transfers.initialPieces(placement, layout.pieces()),
                // Where nodes want parts, each piece comes from its owner with its digest: nothing is left to compare.
                placement.isWantedByAll() ? new SameDigest(phase) : Transfer::completed,
                call);
    }

    /** Whether the node is the root of a multicast. */
    boolean isRoot(int rank) {
        return placement.hasSingleRoot() && begin.rootRank() == rank;
    }
}
