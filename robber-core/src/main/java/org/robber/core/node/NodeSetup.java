package org.robber.core.node;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkElementIndex;

import org.robber.core.piece.PieceLayout;
import org.robber.core.piece.PieceSet;
import org.robber.core.topology.DataPlacement;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;
import org.robber.core.topology.WorkDivision;

/**
 * All that a strategy is told when a multicast or another collective call begins; equal on all nodes but for {@code rank} and {@code possession}.
 *
 * @param rank this node
 * @param topology all nodes and their clusters
 * @param overlay who is connected to whom
 * @param placement who possesses which pieces at the start, who wants them, and who produces which
 * @param possession what this node possesses at the start: its pieces of the placement, and those that it has from an earlier run.
 *     Copied by the node
 * @param seed seed of the multicast, the same on every node; a node mixes in its rank
 * @param requestWindow requests outstanding per peer at first, at least 1; the published value is 5. A strategy may go by the line
 *     afterwards
 * @param pieceBytes size of every piece but the last, which may be shorter; at least 1
 * @param totalBytes size of the data: what that many pieces hold
 * @param late whether this node joins, or comes back to, a multicast that has been going on without it: then the others
 *     have taken over what would be its share
 */
public record NodeSetup(
        int rank,
        Topology topology,
        Overlay overlay,
        DataPlacement placement,
        PieceSet possession,
        long seed,
        int requestWindow,
        int pieceBytes,
        long totalBytes,
        boolean late) {

    /** The published number of outstanding requests per peer (R). */
    public static final int PUBLISHED_REQUEST_WINDOW = 5;

    public NodeSetup {
        checkElementIndex(rank, topology.size(), "rank");
        placement.owners().forEach(owner -> checkElementIndex(owner, topology.size(), "owner"));
        checkArgument(
                placement.pieceCount() == possession.capacity(),
                "%s pieces are placed, not %s",
                placement.pieceCount(),
                possession.capacity());
        checkArgument(requestWindow >= 1, "requestWindow: %s", requestWindow);
        checkArgument(pieceBytes >= 1, "pieceBytes: %s", pieceBytes);
        checkArgument(
                new PieceLayout(totalBytes, pieceBytes).pieceCount() == possession.capacity(),
                "%s bytes are not %s pieces of %s bytes",
                totalBytes,
                possession.capacity(),
                pieceBytes);
        checkArgument(
                late || placement.possessedBy(rank).andNot(possession).isEmpty(),
                "the node lacks pieces that it is to possess");
    }

    /** The setup of a node that takes part in a multicast from the start. All pieces have the same length. */
    public NodeSetup(
            int rank,
            Topology topology,
            Overlay overlay,
            int rootRank,
            PieceSet possession,
            long seed,
            int requestWindow,
            int pieceBytes) {
        this(
                rank,
                topology,
                overlay,
                DataPlacement.ofRoot(rootRank, possession.capacity()),
                possession,
                seed,
                requestWindow,
                pieceBytes,
                (long) possession.capacity() * pieceBytes,
                false);
    }

    /** This setup for a node that joins or comes back with what it possesses. */
    public NodeSetup comingLate(PieceSet kept) {
        return new NodeSetup(
                rank, topology, overlay, placement, kept, seed, requestWindow, pieceBytes, totalBytes, true);
    }

    /** This setup where no node brings pieces for others. */
    public NodeSetup withoutRelays() {
        return new NodeSetup(
                rank,
                topology,
                overlay,
                placement.withoutRelays(),
                possession,
                seed,
                requestWindow,
                pieceBytes,
                totalBytes,
                late);
    }

    /** This setup for another node. Its possession is not known and counts as empty. */
    public NodeSetup ofPeer(int peerRank) {
        return new NodeSetup(
                peerRank,
                topology,
                overlay,
                placement,
                PieceSet.empty(pieceCount()),
                seed,
                requestWindow,
                pieceBytes,
                totalBytes,
                true);
    }

    /**
     * The pieces that this node has to bring into its cluster at the start; it may possess some of them. Empty for a node that joins
     * or comes back.
     */
    public PieceSet share(WorkDivision division) {
        return late ? PieceSet.empty(pieceCount()) : division.shareOf(rank, placement, topology);
    }

    /**
     * The root of a multicast.
     *
     * @throws IllegalArgumentException if this is another call
     */
    public int rootRank() {
        return placement.root();
    }

    /** Number of pieces of the data. */
    public int pieceCount() {
        return possession.capacity();
    }
}
