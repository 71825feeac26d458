package org.robber.core.topology;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkPositionIndexes;

import com.google.common.collect.ImmutableList;
import java.util.List;
import org.robber.core.piece.PieceSet;

/**
 * Which nodes possess which pieces when a collective call begins; all nodes know it. Each piece has at least one owner. All nodes want
 * all pieces, so this says which call it is: a multicast has one root, a multi-root multicast has several, and with striping or
 * allGather each node owns a part.
 *
 * @param pieceCount number of pieces of the data
 * @param holdings the parts, by owner; they may overlap
 */
public record DataPlacement(int pieceCount, ImmutableList<Holding> holdings) {

    /**
     * The pieces from {@code firstPiece} up to, but not including, {@code endPiece}.
     *
     * @param rank the node that possesses them
     */
    public record Holding(int rank, int firstPiece, int endPiece) {}

    public DataPlacement {
        PieceSet owned = PieceSet.empty(pieceCount);
        for (Holding holding : holdings) {
            checkPositionIndexes(holding.firstPiece(), holding.endPiece(), pieceCount);
            owned.addRange(holding.firstPiece(), holding.endPiece());
        }
        checkArgument(owned.isFull(), "no node possesses some of the %s pieces", pieceCount);
    }

    /** A multicast: the root possesses everything. */
    public static DataPlacement ofRoot(int rank, int pieceCount) {
        return ofRoots(List.of(rank), pieceCount);
    }

    /** A multi-root multicast: each root possesses everything. */
    public static DataPlacement ofRoots(List<Integer> ranks, int pieceCount) {
        return new DataPlacement(
                pieceCount,
                ranks.stream().map(rank -> new Holding(rank, 0, pieceCount)).collect(ImmutableList.toImmutableList()));
    }

    /** Striping or allGather: each of these nodes possesses an equal, contiguous part, in their order. */
    public static DataPlacement striped(List<Integer> ranks, int pieceCount) {
        ImmutableList.Builder<Holding> holdings = ImmutableList.builder();
        for (int i = 0; i < ranks.size(); i++) {
            holdings.add(new Holding(
                    ranks.get(i),
                    WorkDivision.boundary(i, ranks.size(), pieceCount),
                    WorkDivision.boundary(i + 1, ranks.size(), pieceCount)));
        }
        return new DataPlacement(pieceCount, holdings.build());
    }

    /** The pieces of a node; a new set. */
    public PieceSet of(int rank) {
        PieceSet pieces = PieceSet.empty(pieceCount);
        for (Holding holding : holdings) {
            if (holding.rank() == rank) {
                pieces.addRange(holding.firstPiece(), holding.endPiece());
            }
        }
        return pieces;
    }

    /** The work of a cluster: the pieces that none of its members possesses; a new set. */
    public PieceSet lackedBy(int cluster, Topology topology) {
        PieceSet possessed = PieceSet.empty(pieceCount);
        for (Holding holding : holdings) {
            if (topology.clusterOf(holding.rank()) == cluster) {
                possessed.addRange(holding.firstPiece(), holding.endPiece());
            }
        }
        return PieceSet.full(pieceCount).andNot(possessed);
    }

    /** Whether this is a multicast: one node possesses everything. */
    public boolean hasSingleOwner() {
        return holdings.size() == 1;
    }

    /**
     * The root of a multicast.
     *
     * @throws IllegalArgumentException if there is more than one owner
     */
    public int root() {
        checkArgument(
                hasSingleOwner(), "%s nodes possess the data at the start: this needs a single root", holdings.size());
        return holdings.get(0).rank();
    }
}
