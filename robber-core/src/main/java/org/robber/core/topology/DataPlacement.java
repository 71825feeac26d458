package org.robber.core.topology;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkPositionIndexes;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.core.piece.PieceSet;

/**
 * Which nodes possess which pieces when a collective call begins, and which nodes want them; all nodes know both. So this says which call it
 * is:
 *
 * <ul>
 *   <li>all nodes want everything: a multicast has one root, a multi-root multicast several; with striping and allGather each owner
 *       has a part;
 *   <li>nodes want parts: scatter, gather, allToAll.
 * </ul>
 *
 * <p>Each piece has at least one owner.
 *
 * @param pieceCount number of pieces of the data
 * @param holdings the pieces that nodes possess; they may overlap
 * @param wants the pieces that nodes want, whether they possess them or not; null if all nodes want all pieces
 */
public record DataPlacement(
        int pieceCount,
        ImmutableList<Range> holdings,
        @Nullable ImmutableList<Range> wants) {

    /**
     * The pieces from {@code firstPiece} up to, but not including, {@code endPiece}.
     *
     * @param rank the node that possesses or wants them
     */
    public record Range(int rank, int firstPiece, int endPiece) {}

    public DataPlacement {
        PieceSet owned = PieceSet.empty(pieceCount);
        for (Range holding : holdings) {
            checkPositionIndexes(holding.firstPiece(), holding.endPiece(), pieceCount);
            owned.addRange(holding.firstPiece(), holding.endPiece());
        }
        checkArgument(owned.isFull(), "no node possesses some of the %s pieces", pieceCount);
        if (wants != null) {
            wants.forEach(want -> checkPositionIndexes(want.firstPiece(), want.endPiece(), pieceCount));
        }
    }

    /** A multicast: the root possesses everything. */
    public static DataPlacement ofRoot(int rank, int pieceCount) {
        return ofRoots(List.of(rank), pieceCount);
    }

    /** A multi-root multicast: each root possesses everything. */
    public static DataPlacement ofRoots(List<Integer> ranks, int pieceCount) {
        return new DataPlacement(pieceCount, everythingOf(ranks, pieceCount), null);
    }

    /** Striping or allGather: each of these nodes possesses an equal, contiguous part, in their order. */
    public static DataPlacement striped(List<Integer> ranks, int pieceCount) {
        return new DataPlacement(pieceCount, slices(ranks, pieceCount), null);
    }

    /** Each of these nodes wants an equal, contiguous part of what the root possesses, in their order. */
    public static DataPlacement scatter(int root, List<Integer> ranks, int pieceCount) {
        return new DataPlacement(pieceCount, everythingOf(List.of(root), pieceCount), slices(ranks, pieceCount));
    }

    /** The root wants what these nodes possess: equal, contiguous parts, in their order. */
    public static DataPlacement gather(int root, List<Integer> ranks, int pieceCount) {
        return new DataPlacement(pieceCount, slices(ranks, pieceCount), everythingOf(List.of(root), pieceCount));
    }

    /** Of the part that each of these nodes possesses, each wants an equal, contiguous part, in their order. */
    public static DataPlacement allToAll(List<Integer> ranks, int pieceCount) {
        ImmutableList<Range> rows = slices(ranks, pieceCount);
        List<Range> columns = new ArrayList<>();
        for (Range row : rows) {
            for (Range block : slices(ranks, row.endPiece() - row.firstPiece())) {
                columns.add(new Range(
                        block.rank(), row.firstPiece() + block.firstPiece(), row.firstPiece() + block.endPiece()));
            }
        }
        return new DataPlacement(pieceCount, rows, ImmutableList.copyOf(columns));
    }

    private static ImmutableList<Range> everythingOf(List<Integer> ranks, int pieceCount) {
        return ranks.stream().map(rank -> new Range(rank, 0, pieceCount)).collect(ImmutableList.toImmutableList());
    }

    private static ImmutableList<Range> slices(List<Integer> ranks, int pieceCount) {
        ImmutableList.Builder<Range> slices = ImmutableList.builder();
        for (int i = 0; i < ranks.size(); i++) {
            slices.add(new Range(
                    ranks.get(i),
                    WorkDivision.boundary(i, ranks.size(), pieceCount),
                    WorkDivision.boundary(i + 1, ranks.size(), pieceCount)));
        }
        return slices.build();
    }

    /** The pieces that a node possesses; a new set. */
    public PieceSet possessedBy(int rank) {
        return of(rank, holdings);
    }

    /** The pieces that a node wants, whether it possesses them or not; a new set. */
    public PieceSet wantedBy(int rank) {
        return wants == null ? PieceSet.full(pieceCount) : of(rank, wants);
    }

    /** Whether all nodes want all pieces. Then nodes pass pieces on; otherwise each node gets its pieces from their owners and from mates that want them, too. */
    public boolean isWantedByAll() {
        return wants == null;
    }

    private PieceSet of(int rank, List<Range> ranges) {
        PieceSet pieces = PieceSet.empty(pieceCount);
        for (Range range : ranges) {
            if (range.rank() == rank) {
                pieces.addRange(range.firstPiece(), range.endPiece());
            }
        }
        return pieces;
    }

    /** The work of a cluster: the pieces that some of its members want and none possesses; a new set. */
    public PieceSet lackedBy(int cluster, Topology topology) {
        PieceSet lacked = wants == null ? PieceSet.full(pieceCount) : ofCluster(cluster, topology, wants);
        lacked.removeAll(ofCluster(cluster, topology, holdings));
        return lacked;
    }

    private PieceSet ofCluster(int cluster, Topology topology, List<Range> ranges) {
        PieceSet pieces = PieceSet.empty(pieceCount);
        for (Range range : ranges) {
            if (topology.clusterOf(range.rank()) == cluster) {
                pieces.addRange(range.firstPiece(), range.endPiece());
            }
        }
        return pieces;
    }

    /** Whether this is a multicast: one node possesses everything, and all want it. */
    public boolean hasSingleRoot() {
        return holdings.size() == 1 && isWantedByAll();
    }

    /**
     * The root of a multicast.
     *
     * @throws IllegalArgumentException if this is another call
     */
    public int root() {
        checkArgument(hasSingleRoot(), "this is not a multicast from a single root: %s owners", holdings.size());
        return holdings.get(0).rank();
    }
}
