package org.robber.transport.job;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.robber.RootStripe;
import org.robber.Storage;
import org.robber.core.piece.PieceLayout;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message.Begin;
import org.robber.core.topology.DataPlacement;
import org.robber.core.topology.DataPlacement.Range;
import org.robber.transport.collective.data.ArgumentHash;
import org.robber.transport.job.peer.JobContext;
import org.robber.transport.job.peer.MulticastGroup;
import org.robber.transport.rendezvous.ControlPlane.CollectiveCall;

/**
 * A multicast over the connections of a channel: what all nodes agree on, and what this node brings along.
 *
 * @param phase the multicast, for people
 * @param begin what peers compare
 * @param placement who has the pieces, by the numbers of the nodes
 * @param isRoot whether this node is a root
 * @param possession what this node has
 * @param check of the data at the end
 * @param collectiveCall this multicast on the control connections, begun
 */
record CallTerms(
        String phase,
        Begin begin,
        DataPlacement placement,
        boolean isRoot,
        InitialPieces possession,
        RootDigest check,
        CollectiveCall collectiveCall) {
    /** A call of more stripes is named by their hash. */
    private static final int MOST_STRIPES_NAMED = 16;

    /** The terms of a multicast. Fails if a root was lost. */
    static CallTerms ofMulticast(
            TransferFactory transfers,
            NettyJob job,
            MulticastGroup group,
            long channelNumber,
            long sequence,
            Storage data,
            List<RootStripe> stripes,
            boolean resumed) {
        JobContext context = transfers.context();
        PieceLayout layout = transfers.layout(data);
        List<Range> ranges = ranges(transfers, layout, stripes);
        DataPlacement placement = placement(context, group, layout, ranges);
        Begin begin = transfers.begin(sequence, layout, stripes.get(0).rootRank());
        PieceSet source = placement.possessedBy(group.number(context.rank()));
        // The storage is the user's, and may throw: before the others hear of the call.
        InitialPieces possession = resumed
                ? InitialPieces.of(source, data, layout, transfers.hasher())
                : InitialPieces.ofSource(source, layout, transfers.hasher());
        checkArgument(
                possession.pieces().isFull() || !data.isReadOnly(), "nothing can be received into a read-only buffer");
        String phase = phase(sequence, channelNumber);
        CollectiveCall call = context.controlPlane()
                .begin(phase + (resumed ? ", resumed," : "") + " of " + begin.totalBytes() + " bytes in pieces of "
                        + begin.pieceBytes() + " from " + text(stripes));
        return new CallTerms(
                phase,
                begin,
                placement,
                stripes.stream().anyMatch(stripe -> stripe.rootRank() == context.rank()),
                possession,
                new RootDigest(context, job, channelNumber, sequence, phase, ranges),
                call);
    }

    /** A multicast of a channel, for people. */
    static String phase(long sequence, long channelNumber) {
        return "multicast " + sequence + (channelNumber == 0 ? "" : " on channel " + channelNumber);
    }

    /** The pieces of each stripe that has any, with the rank of its root; of a single root also if it has none. */
    private static List<Range> ranges(TransferFactory transfers, PieceLayout layout, List<RootStripe> stripes) {
        checkArgument(
                stripes.size() == 1 || !transfers.strategy().needsSingleRoot(),
                "strategy %s multicasts from one root only",
                transfers.strategy().name());
        checkArgument(
                !stripes.isEmpty() && stripes.get(stripes.size() - 1).endBytes() == layout.totalBytes(),
                "stripes %s of %s bytes",
                stripes,
                layout.totalBytes());
        List<Range> ranges = new ArrayList<>();
        long from = 0;
        for (RootStripe stripe : stripes) {
            long end = stripe.endBytes();
            checkArgument(
                    from <= end && (end == layout.totalBytes() || end % layout.pieceBytes() == 0),
                    "a stripe from %s to %s in pieces of %s",
                    from,
                    end,
                    layout.pieceBytes());
            if (end > from || stripes.size() == 1) {
                ranges.add(new Range(stripe.rootRank(), firstPieceFrom(from, layout), firstPieceFrom(end, layout)));
            }
            from = end;
        }
        return ranges;
    }

    /** Fails if a root was lost. */
    private static DataPlacement placement(
            JobContext context, MulticastGroup group, PieceLayout layout, List<Range> ranges) {
        List<Range> numbered = new ArrayList<>();
        for (Range range : ranges) {
            numbered.add(new Range(group.requireRoot(context, range.rank()), range.firstPiece(), range.endPiece()));
        }
        return new DataPlacement(layout.pieceCount(), numbered, null);
    }

    /** The first piece that does not begin before this. */
    private static int firstPieceFrom(long offsetBytes, PieceLayout layout) {
        return (int) ((offsetBytes + layout.pieceBytes() - 1) / layout.pieceBytes());
    }

    /** For people, and to be compared between nodes. The name of a call has room for some stripes. */
    private static String text(List<RootStripe> stripes) {
        if (stripes.size() == 1) {
            return "rank " + stripes.get(0).rootRank();
        }
        if (stripes.size() > MOST_STRIPES_NAMED) {
            LongStream numbers =
                    stripes.stream().flatMapToLong(stripe -> LongStream.of(stripe.rootRank(), stripe.endBytes()));
            return stripes.size() + " stripes (hash " + ArgumentHash.of(numbers) + ")";
        }
        return stripes.stream()
                .map(stripe -> "rank " + stripe.rootRank() + " to byte " + stripe.endBytes())
                .collect(Collectors.joining(", "));
    }

    /** Whether this node has everything as the only root. */
    boolean hasAll() {
        return isRoot && possession.source().isFull();
    }
}
