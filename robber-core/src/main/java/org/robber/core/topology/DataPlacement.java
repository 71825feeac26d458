package org.robber.core.topology;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkPositionIndexes;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Iterables;
import com.google.common.collect.Multimaps;
import com.google.common.primitives.ImmutableIntArray;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.robber.core.piece.PieceSet;

/**
 * Which nodes possess which pieces when a collective call begins, which nodes want them, and which pieces nodes produce during the call.
 * All nodes know this. So this says which call it is:
 *
 * <ul>
 *   <li>all nodes want everything: a multicast has one root, a multi-root multicast several; with striping and allGather each owner
 *       has a part;
 *   <li>nodes want parts: scatter, gather, allToAll;
 *   <li>nodes also produce pieces from others: the reductions.
 * </ul>
 *
 * <p>Each piece has at least one owner or producer. Immutable, as seen from outside.
 */
public final class DataPlacement {
    private final int pieceCount;
    private final ImmutableListMultimap<Integer, Range> holdings;
    private final @Nullable ImmutableListMultimap<Integer, Range> wants;
    private final ImmutableListMultimap<Integer, Range> produced;
    private final IntFunction<ImmutableIntArray> inputs;

    private final boolean isRelayed;

    /** Pieces that a node brings at most for others. */
    private final int mostRelayedPieces;

    /** The pieces that clusters lack, kept from the first time on: nodes ask for those of each cluster several times. */
    private @Nullable LackedPieces lacked;

    /** The pieces that each cluster lacks. Never changed. */
    private record LackedPieces(Topology topology, ImmutableList<PieceSet> ofClusters) {}

    /**
     * The pieces from {@code firstPiece} up to, but not including, {@code endPiece}.
     *
     * @param rank the node that possesses, wants or produces them
     */
    public record Range(int rank, int firstPiece, int endPiece) {}

    /**
     * A placement without products.
     *
     * @param pieceCount number of pieces of the data
     * @param holdings the pieces that nodes possess; they may overlap
     * @param wants the pieces that nodes want, whether they possess them or not; null if all nodes want all pieces
     */
    public DataPlacement(int pieceCount, List<Range> holdings, @Nullable List<Range> wants) {
        this(pieceCount, holdings, wants, ImmutableList.of(), piece -> ImmutableIntArray.of());
    }

    /**
     * A placement.
     *
     * @param pieceCount number of pieces of the data
     * @param holdings the pieces that nodes possess; they may overlap
     * @param wants the pieces that nodes want, whether they possess them or not; null if all nodes want all pieces. A node wants what it
     *     produces, too, without being named here
     * @param produced the pieces that nodes produce during the call
     * @param inputs the pieces from which a produced piece is made, each of a lower number
     */
    public DataPlacement(
            int pieceCount,
            List<Range> holdings,
            @Nullable List<Range> wants,
            List<Range> produced,
            IntFunction<ImmutableIntArray> inputs) {
        this.inputs = inputs;
        this.pieceCount = pieceCount;
        this.isRelayed = false;
        this.mostRelayedPieces = 0;
        this.holdings = byRank(holdings, pieceCount);
        this.wants = wants == null ? null : byRank(wants, pieceCount);
        this.produced = byRank(produced, pieceCount);
        PieceSet owned = PieceSet.empty(pieceCount);
        addTo(owned, this.holdings.values());
        addTo(owned, this.produced.values());
        checkArgument(owned.isFull(), "no node possesses some of the %s pieces", pieceCount);
    }

    private DataPlacement(DataPlacement other, boolean isRelayed, int mostRelayedPieces) {
        this.isRelayed = isRelayed;
        this.pieceCount = other.pieceCount;
        this.holdings = other.holdings;
        this.wants = other.wants;
        this.produced = other.produced;
        this.inputs = other.inputs;
        this.mostRelayedPieces = mostRelayedPieces;
    }

    /**
     * This placement, with nodes that also bring pieces which only other nodes want. It stays as it is where all nodes want everything.
     *
     * @param mostPieces pieces that a node brings for others at most, since it keeps them until the call ends; may differ between nodes, and may be 0
     */
    public DataPlacement withRelays(int mostPieces) {
        return new DataPlacement(this, wants != null, mostPieces);
    }

    /** This placement, with nodes that bring nothing for others. */
    public DataPlacement withoutRelays() {
        return new DataPlacement(this, false, 0);
    }

    private static ImmutableListMultimap<Integer, Range> byRank(List<Range> ranges, int pieceCount) {
        ranges.forEach(range -> checkPositionIndexes(range.firstPiece(), range.endPiece(), pieceCount));
        return Multimaps.index(ranges, Range::rank);
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
        return new DataPlacement(pieceCount, rows, columns);
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

    /** Number of pieces of the data. */
    public int pieceCount() {
        return pieceCount;
    }

    /** The nodes that possess or produce pieces, in the order in which they were given. */
    public ImmutableList<Integer> owners() {
        return ImmutableSet.<Integer>builder()
                .addAll(holdings.keySet())
                .addAll(produced.keySet())
                .build()
                .asList();
    }

    /** The node that possesses or produces each piece; of several the one that was given first. */
    public int[] firstOwners() {
        int[] owners = new int[pieceCount];
        for (Range range : ImmutableList.copyOf(Iterables.concat(produced.values(), holdings.values()))
                .reverse()) {
            Arrays.fill(owners, range.firstPiece(), range.endPiece(), range.rank());
        }
        return owners;
    }

    /** The pieces that a node possesses at the start; a new set. */
    public PieceSet possessedBy(int rank) {
        return setOf(holdings.get(rank));
    }

    /** Whether nodes produce pieces during the call. */
    public boolean hasProducts() {
        return !produced.isEmpty();
    }

    /** The pieces that a node produces during the call; a new set. */
    public PieceSet producedBy(int rank) {
        return setOf(produced.get(rank));
    }

    /** The pieces from which a piece is produced, each of a lower number; empty if nodes possess it at the start. */
    public ImmutableIntArray inputsOf(int piece) {
        return inputs.apply(piece);
    }

    /** The pieces that a node wants, whether it possesses them or not, and those that it produces; a new set. */
    public PieceSet wantedBy(int rank) {
        if (wants == null) {
            return PieceSet.full(pieceCount);
        }
        PieceSet wanted = setOf(wants.get(rank));
        addTo(wanted, produced.get(rank));
        return wanted;
    }

    /** Whether all nodes want all pieces. Then nodes pass pieces on; otherwise, in strategies that steal, each node gets its pieces from their owners and from mates that want them, too. */
    public boolean isWantedByAll() {
        return wants == null;
    }

    /** Whether nodes bring pieces which only other nodes want. They need memory for these. */
    public boolean isRelayed() {
        return isRelayed;
    }

    /** Pieces that a node brings at most for others. */
    public int mostRelayedPieces() {
        return mostRelayedPieces;
    }

    /** The pieces that a node wants and no other; a new set. */
    public PieceSet wantedOnlyBy(int rank) {
        PieceSet wanted = wantedBy(rank);
        if (wants != null) {
            for (Range range : wants.values()) {
                if (range.rank() != rank) {
                    wanted.removeRange(range.firstPiece(), range.endPiece());
                }
            }
        }
        return wanted;
    }

    /** The pieces that nodes of a cluster possess at the start or produce; a new set. */
    public PieceSet ownedBy(int cluster, Topology topology) {
        PieceSet owned = ofCluster(cluster, topology, holdings);
        owned.addAll(ofCluster(cluster, topology, produced));
        return owned;
    }

    /** Whether a node wants any of these pieces. */
    public boolean wantsAnyOf(int rank, PieceSet pieces) {
        return wants == null
                ? !pieces.isEmpty()
                : overlaps(wants.get(rank), pieces) || overlaps(produced.get(rank), pieces);
    }

    /** Whether a node wants this piece, or produces it. */
    public boolean isWantedBy(int rank, int piece) {
        return wants == null || covers(wants.get(rank), piece) || covers(produced.get(rank), piece);
    }

    private static boolean covers(Collection<Range> ranges, int piece) {
        return ranges.stream().anyMatch(range -> range.firstPiece() <= piece && piece < range.endPiece());
    }

    private static boolean overlaps(Collection<Range> ranges, PieceSet pieces) {
        return ranges.stream().anyMatch(range -> {
            int piece = pieces.nextFrom(range.firstPiece());
            return piece >= 0 && piece < range.endPiece();
        });
    }

    private PieceSet setOf(Collection<Range> ranges) {
        PieceSet pieces = PieceSet.empty(pieceCount);
        addTo(pieces, ranges);
        return pieces;
    }

    private static void addTo(PieceSet pieces, Collection<Range> ranges) {
        ranges.forEach(range -> pieces.addRange(range.firstPiece(), range.endPiece()));
    }

    /** The work of a cluster: the pieces that some of its members want, and that none possesses or produces; a new set. */
    public PieceSet lackedBy(int cluster, Topology topology) {
        LackedPieces known = lacked;
        if (known == null || known.topology != topology) {
            known = new LackedPieces(
                    topology,
                    IntStream.range(0, topology.clusterCount())
                            .mapToObj(each -> lackedPieces(each, topology))
                            .collect(ImmutableList.toImmutableList()));
            lacked = known;
        }
        return known.ofClusters.get(cluster).copy();
    }

    /** The number of pieces that cross the border of the busiest cluster: those that it lacks, or those that it owns and others lack. */
    public int mostPiecesOfCluster(Topology topology) {
        PieceSet lackedByAny = PieceSet.empty(pieceCount);
        int most = 0;
        for (int cluster = 0; cluster < topology.clusterCount(); cluster++) {
            PieceSet lackedHere = lackedBy(cluster, topology);
            lackedByAny.addAll(lackedHere);
            most = Math.max(most, lackedHere.size());
        }
        // No cluster lacks what it owns.
        for (int cluster = 0; cluster < topology.clusterCount(); cluster++) {
            most = Math.max(most, ownedBy(cluster, topology).countCommon(lackedByAny));
        }
        return most;
    }

    /** The same in bytes, if so many bytes are divided into pieces of one size. */
    public long mostBytesOfCluster(long totalBytes, Topology topology) {
        return (long) (totalBytes * ((double) mostPiecesOfCluster(topology) / Math.max(1, pieceCount)));
    }

    private PieceSet lackedPieces(int cluster, Topology topology) {
        PieceSet pieces = wants == null ? PieceSet.full(pieceCount) : ofCluster(cluster, topology, wants);
        pieces.removeAll(ownedBy(cluster, topology));
        return pieces;
    }

    private PieceSet ofCluster(int cluster, Topology topology, ImmutableListMultimap<Integer, Range> ranges) {
        PieceSet pieces = PieceSet.empty(pieceCount);
        for (int member : topology.members(cluster)) {
            addTo(pieces, ranges.get(member));
        }
        return pieces;
    }

    /** Whether this is a multicast: one node possesses everything, and all want it. */
    public boolean hasSingleRoot() {
        return holdings.size() == 1 && produced.isEmpty() && isWantedByAll();
    }

    /**
     * The root of a multicast.
     *
     * @throws IllegalArgumentException if this is another call
     */
    public int root() {
        checkArgument(hasSingleRoot(), "this is not a multicast from a single root: %s owners", owners().size());
        return holdings.values().iterator().next().rank();
    }
}
