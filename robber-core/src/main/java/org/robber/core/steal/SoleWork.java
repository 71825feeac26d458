package org.robber.core.steal;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.robber.core.node.NodeSetup;
import org.robber.core.peer.Peer;
import org.robber.core.peer.PeerTable;
import org.robber.core.piece.PieceSet;
import org.robber.core.topology.DataPlacement;
import org.robber.core.topology.Topology;

/**
 * The pieces that only this cluster lacks, of a call in which it also lacks pieces that other clusters lack, too: in allReduce, the partial
 * results that it is to combine. Each of these comes over the line from its owner's cluster or not at all, while the others can come over
 * any line. So a line brings these first. All connections between two clusters share one line. So while one of them still has such a piece to
 * bring to this node, the node requests nothing else of that cluster.
 */
final class SoleWork {
    private final PieceSet pieces;
    private final PieceLedger ledger;
    private final PeerTable peers;
    private final Topology topology;

    /** By cluster: such a piece that a peer there offered when this was last looked for, and the peer. So there is seldom a search. */
    private final int[] offeredPieces;

    private final @Nullable Peer[] offeringPeers;

    /** The clusters of which something was not requested for the sake of such pieces. */
    private final BitSet heldBack = new BitSet();

    SoleWork(NodeParts parts) {
        NodeSetup setup = parts.setup();
        this.ledger = parts.ledger();
        this.peers = parts.peers();
        this.topology = setup.topology();
        this.offeredPieces = new int[topology.clusterCount()];
        this.offeringPeers = new @Nullable Peer[topology.clusterCount()];
        this.pieces = find(topology.clusterOf(setup.rank()), setup.placement(), topology);
    }

    private static PieceSet find(int own, DataPlacement placement, Topology topology) {
        PieceSet lacked = placement.lackedBy(own, topology);
        PieceSet sole = lacked.copy();
        for (int cluster = 0; cluster < topology.clusterCount(); cluster++) {
            if (cluster != own && !sole.isEmpty()) {
                sole.removeAll(placement.lackedBy(cluster, topology));
            }
        }
        return sole.equals(lacked) ? PieceSet.empty(lacked.capacity()) : sole;
    }

    /** Whether there is none, and all lines may bring anything. */
    boolean isEmpty() {
        return pieces.isEmpty();
    }

    /** Those that are own work and unasked; a new set. */
    PieceSet unasked() {
        return ledger.ownWork().and(pieces);
    }

    /** Whether this piece may be requested of a peer in another cluster now. */
    boolean allows(Peer peer, int piece) {
        return pieces.isEmpty() || pieces.contains(piece) || !comesFirst(peer);
    }

    /** Whether the line to a peer's cluster has such pieces to bring, and so brings nothing else. */
    boolean comesFirst(Peer peer) {
        int cluster = topology.clusterOf(peer.rank());
        boolean isOffered = isOffered(cluster);
        if (isOffered) {
            heldBack.set(cluster);
        }
        return isOffered;
    }

    private boolean isOffered(int cluster) {
        Peer offering = offeringPeers[cluster];
        if (offering != null && isRequestable(offering, offeredPieces[cluster])) {
            return true;
        }
        offeringPeers[cluster] = null;
        for (Peer peer : peers.globals()) {
            if (topology.clusterOf(peer.rank()) == cluster && peer.mayBeAsked()) {
                int piece = firstUnasked(peer.offers().requestable());
                if (piece >= 0) {
                    offeringPeers[cluster] = peer;
                    offeredPieces[cluster] = piece;
                    return true;
                }
            }
        }
        return false;
    }

    /** The first of these pieces that is unasked, or -1. */
    private int firstUnasked(PieceSet offered) {
        PieceSet ownWork = ledger.ownWork();
        for (int index = ownWork.nextCommonWord(offered, 0);
                index >= 0;
                index = ownWork.nextCommonWord(offered, index + 1)) {
            long common = ownWork.word(index) & offered.word(index) & pieces.word(index);
            if (common != 0) {
                return index * Long.SIZE + Long.numberOfTrailingZeros(common);
            }
        }
        return -1;
    }

    private boolean isRequestable(Peer peer, int piece) {
        return peer.mayBeAsked()
                && ledger.ownWork().contains(piece)
                && peer.offers().isRequestable(piece);
    }

    /** Whether something that was held back may be requested now; asked after each event, and true once. */
    boolean hasReleased() {
        boolean hasReleased = false;
        for (int cluster = heldBack.nextSetBit(0); cluster >= 0; cluster = heldBack.nextSetBit(cluster + 1)) {
            if (!isOffered(cluster)) {
                heldBack.clear(cluster);
                hasReleased = true;
            }
        }
        return hasReleased;
    }
}
