package org.robber.emulation.simulator.checker;

import java.util.ArrayList;
import java.util.List;
import org.robber.core.node.NodeSetup;
import org.robber.core.node.StrategyLimits;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.reduce.Product;
import org.robber.core.topology.Topology;

/**
 * Checks what nodes do, before it has an effect. A node never claims or sends a piece that it lacks. It is complete only with every
 * piece that it wants. No piece comes to a node or into a cluster more often than the strategy promises. Possessions are counted here, from outside.
 */
public class PieceInvariants {
    private final Topology topology;
    private final StrategyLimits promises;
    private final int pieceCount;
    private final List<PieceSet> possessions = new ArrayList<>();
    private final List<PieceSet> possessionsOfClusters = new ArrayList<>();

    private final List<PieceSet> wanted = new ArrayList<>();

    /** The pieces that each node wants or had at the start. It may also have some that it brings for others. */
    private final List<PieceSet> ownPieces = new ArrayList<>();

    /** Pieces that each node has given up. */
    private final List<PieceSet> givenUp = new ArrayList<>();

    private final short[][] entries;

    /** Checks nodes that begin with the pieces of their setups. */
    public PieceInvariants(Topology topology, List<NodeSetup> setups, StrategyLimits promises) {
        this.topology = topology;
        this.promises = promises;
        this.pieceCount = setups.get(0).pieceCount();
        for (int cluster = 0; cluster < topology.clusterCount(); cluster++) {
            possessionsOfClusters.add(PieceSet.empty(pieceCount));
        }
        for (NodeSetup setup : setups) {
            possessions.add(setup.possession().copy());
            wanted.add(setup.placement().wantedBy(setup.rank()));
            PieceSet own = setup.possession().copy();
            own.addAll(setup.placement().wantedBy(setup.rank()));
            ownPieces.add(own);
            givenUp.add(PieceSet.empty(pieceCount));
            possessionsOfClusters.get(topology.clusterOf(setup.rank())).addAll(setup.possession());
        }
        this.entries = new short[topology.clusterCount()][pieceCount];
    }

    /** The pieces that any member of a cluster has; a live view. */
    PieceSet possessionOfCluster(int cluster) {
        return possessionsOfClusters.get(cluster);
    }

    /** A node sends a message. */
    public void sent(int fromRank, int toRank, Message message) {
        PieceSet possession = possessions.get(fromRank);
        switch (message.type()) {
            case HAVE ->
                demand(possession.contains(((Message.Have) message).piece()), "announces a piece that it lacks");
            case BITFIELD -> {
                PieceSet pieces = ((Message.Bitfield) message).pieces();
                demand(pieces.countCommon(possession) == pieces.size(), "announces a piece that it lacks");
            }
            case DONE -> demand(missing(fromRank).isEmpty(), "announces too early that it is done");
            default -> {
                // Does not mention pieces of the node.
            }
        }
    }

    /** A node receives a message. */
    public void received(int rank, int fromRank, Message message) {
        // Messages change nothing here.
    }

    /** A node sends a piece. */
    public void pieceSent(int fromRank, int toRank, int piece) {
        demand(possessions.get(fromRank).contains(piece), "sends a piece that it lacks");
    }

    /** A node has stored a piece, perhaps once more. */
    public void pieceStored(int rank, int fromRank, int piece) {
        boolean isNew = possessions.get(rank).add(piece);
        givenUp.get(rank).remove(piece);
        int cluster = topology.clusterOf(rank);
        possessionsOfClusters.get(cluster).add(piece);
        if (!isNew && promises.storesOnce()) {
            throw new InvariantViolationException("stores piece " + piece + " twice");
        }
        if (!topology.sameCluster(rank, fromRank) && ++entries[cluster][piece] > promises.copiesPerCluster()) {
            throw new InvariantViolationException("brings piece " + piece + " into its cluster, which had it before");
        }
    }

    /** A node has produced a piece. */
    public void pieceProduced(int rank, Product product) {
        PieceSet possession = possessions.get(rank);
        for (int input : product.inputs().asList()) {
            demand(possession.contains(input), "combines a piece that it lacks");
        }
        demand(possession.add(product.piece()), "produces a piece that it has");
        givenUp.get(rank).remove(product.piece());
        possessionsOfClusters.get(topology.clusterOf(rank)).add(product.piece());
    }

    /** A node says that it is complete. */
    public void completed(int rank) {
        PieceSet missing = missing(rank);
        demand(
                missing.isEmpty() && givenUp.get(rank).isEmpty(),
                "announces too early that it is complete, without " + missing.size() + " of " + pieceCount + " pieces");
    }

    /**
     * A node says that it is complete except for these pieces, which will not come. Nobody else may have them, but for relays: a node tells others only of
     * the pieces that it lacks itself.
     */
    public void givenUp(int rank, PieceSet pieces) {
        for (int other = 0; other < possessions.size(); other++) {
            // Dead nodes have no possessions here: they are removed when nodes die.
            PieceSet counted = possessions.get(other).and(ownPieces.get(other));
            demand(counted.countCommon(pieces) == 0, "gives up a piece that a node possesses");
        }
        givenUp.get(rank).addAll(pieces);
        demand(missing(rank).isEmpty(), "ends without pieces that are not given up");
    }

    /** What the node wants, does not possess and has not given up. */
    private PieceSet missing(int rank) {
        return wanted.get(rank).andNot(possessions.get(rank)).andNot(givenUp.get(rank));
    }

    /** A node starts again, with these pieces. */
    public void restarted(int rank, PieceSet kept) {
        possessions.get(rank).clear();
        possessions.get(rank).addAll(kept);
        givenUp.get(rank).clear();
    }

    static void demand(boolean condition, String what) {
        if (!condition) {
            throw new InvariantViolationException(what);
        }
    }
}
