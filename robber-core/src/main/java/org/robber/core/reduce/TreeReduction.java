package org.robber.core.reduce;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Lists;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.Ints;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.robber.core.piece.PieceLayout;
import org.robber.core.topology.DataPlacement;
import org.robber.core.topology.DataPlacement.Range;
import org.robber.core.topology.TreeOrder;

/**
 * A reduction along a tree. A node combines what its children send with its own vector, and its parent wants the product. The product of the root is
 * the result. Where inputs must keep their order, a node combines only if the ranks of its subtree are consecutive. Others leave that to
 * their parent.
 *
 * <p>Pieces are numbered thus: the contributions, by rank; then the products, by the place of their node among those that combine.
 */
final class TreeReduction implements ReductionPlan {
    private static final int NONE = TreeOrder.NONE;

    private final int nodes;
    private final int chunks;
    private final ResultParts results;

    /** The nodes that combine, each after those below it; the root is the last. */
    private final ImmutableList<Combining> combining;

    private final DataPlacement placement;

    /**
     * A node that combines.
     *
     * @param inputs what it combines, from left to right
     */
    private record Combining(int rank, ImmutableList<Input> inputs) {
        ImmutableIntArray pieces(int chunk, int chunks) {
            return ImmutableIntArray.copyOf(inputs.stream().mapToInt(input -> input.vector * chunks + chunk));
        }
    }

    /**
     * A vector that is combined.
     *
     * @param holder the node that has it
     * @param vector its number: first the contributions, then the products
     * @param firstRank the first rank whose vector is part of it
     * @param endRank one more than the last such rank
     */
    private record Input(int holder, int vector, int firstRank, int endRank) {}

    /**
     * A plan.
     *
     * @param parents the parent of each rank; -1 for the root alone
     * @param results what each rank wants of the result
     */
    TreeReduction(int[] parents, int chunks, boolean commutative, ResultParts results) {
        checkArgument(chunks >= 0, "chunks: %s", chunks);
        this.nodes = parents.length;
        this.chunks = chunks;
        this.results = results;
        this.combining = combining(parents, commutative);
        long pieces = ((long) nodes + combining.size()) * chunks;
        checkArgument(pieces <= PieceLayout.MAX_PIECES, "%s pieces, of at most %s", pieces, PieceLayout.MAX_PIECES);
        this.placement = place((int) pieces);
    }

    private static ImmutableList<Combining> combining(int[] parents, boolean commutative) {
        ImmutableList.Builder<Combining> combining = ImmutableList.builder();
        int combiningCount = 0;
        // By rank, what its parent will combine.
        List<List<Input>> left = new ArrayList<>();
        for (int rank = 0; rank < parents.length; rank++) {
            left.add(new ArrayList<>(List.of(new Input(rank, rank, rank, rank + 1))));
        }
        for (int rank : Lists.reverse(Ints.asList(TreeOrder.rootFirst(parents)))) {
            boolean isRoot = parents[rank] == NONE;
            List<Input> inputs = left.get(rank);
            inputs.sort(Comparator.comparingInt(Input::firstRank));
            if (isRoot || (inputs.size() > 1 && (commutative || areConsecutive(inputs)))) {
                combining.add(new Combining(rank, ImmutableList.copyOf(inputs)));
                inputs = List.of(new Input(
                        rank,
                        parents.length + combiningCount++,
                        inputs.get(0).firstRank,
                        inputs.get(inputs.size() - 1).endRank));
            }
            if (!isRoot) {
                left.get(parents[rank]).addAll(inputs);
            }
        }
        return combining.build();
    }

    private static boolean areConsecutive(List<Input> inputs) {
        return IntStream.range(1, inputs.size())
                .allMatch(place -> inputs.get(place).firstRank == inputs.get(place - 1).endRank);
    }

    private DataPlacement place(int pieceCount) {
        List<Range> holdings = new ArrayList<>();
        List<Range> wants = new ArrayList<>();
        List<Range> produced = new ArrayList<>();
        for (int rank = 0; rank < nodes; rank++) {
            holdings.add(new Range(rank, rank * chunks, (rank + 1) * chunks));
            wants.add(new Range(rank, results() + results.first(rank), results() + results.end(rank)));
        }
        for (int place = 0; place < combining.size(); place++) {
            Combining node = combining.get(place);
            produced.add(new Range(node.rank, (nodes + place) * chunks, (nodes + place + 1) * chunks));
            for (Input input : node.inputs) {
                if (input.holder != node.rank) {
                    wants.add(new Range(node.rank, input.vector * chunks, (input.vector + 1) * chunks));
                }
            }
        }
        return new DataPlacement(pieceCount, holdings, wants, produced, this::inputsOf);
    }

    /** The first piece of the result. */
    private int results() {
        return (nodes + combining.size() - 1) * chunks;
    }

    private ImmutableIntArray inputsOf(int piece) {
        int place = piece / chunks - nodes;
        return place < 0 ? ImmutableIntArray.of() : combining.get(place).pieces(piece % chunks, chunks);
    }

    @Override
    public ImmutableList<Product> productsOf(int rank) {
        ImmutableList.Builder<Product> products = ImmutableList.builder();
        for (int place = 0; place < combining.size(); place++) {
            if (combining.get(place).rank == rank) {
                for (int chunk = 0; chunk < chunks; chunk++) {
                    products.add(new Product(
                            (nodes + place) * chunks + chunk,
                            chunk,
                            combining.get(place).pieces(chunk, chunks)));
                }
            }
        }
        return products.build();
    }

    @Override
    public int chunks() {
        return chunks;
    }

    @Override
    public DataPlacement placement() {
        return placement;
    }

    @Override
    public int resultPiece(int rank, int chunk) {
        return results.contains(rank, chunk) ? results() + chunk : NONE;
    }
}
