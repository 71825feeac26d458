package org.robber.emulation.simulator.checker;

import static org.robber.emulation.simulator.checker.PieceInvariants.demand;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.robber.core.reduce.Product;
import org.robber.core.reduce.ReductionPlan;
import org.robber.core.topology.DataPlacement;

/**
 * What the pieces of a reduction hold. In place of numbers, a piece holds which ranks were combined in which order, and in which
 * groups. A node that combines reads what it holds itself; a piece that comes is what its sender holds. So a result is right only
 * if each node did the right thing in the right order. Two results are equal only if floating-point numbers would be, too.
 */
public final class ReducedContents {
    private static final long FACTOR = 0x9e3779b97f4a7c15L;

    private final ReductionPlan plan;
    private final DataPlacement placement;

    /** What each node holds, by piece. */
    private final List<Map<Integer, Content>> held = new ArrayList<>();

    /** What was produced first, by piece. */
    private final Map<Integer, Content> produced = new HashMap<>();

    private final ResultSink sink;

    /** The results of nodes, when they are complete. */
    @FunctionalInterface
    public interface ResultSink {
        /**
         * A chunk of a result.
         *
         * @param bits equal only if the same inputs were combined in the same order and groups
         */
        void result(int rank, int chunk, long bits);
    }

    /**
     * A content.
     *
     * @param order the ranks, in their order: the hash of a sequence, so groups do not matter
     * @param power {@link #FACTOR} to the power of the number of ranks
     * @param groups the same, but groups matter
     */
    private record Content(long order, long power, long groups) {
        static Content ofRank(int rank) {
            return new Content(rank + 1L, FACTOR, mixed(rank + 1L));
        }

        Content followedBy(Content next) {
            return new Content(
                    order * next.power + next.order, power * next.power, mixed(groups * FACTOR + next.groups));
        }

        private static long mixed(long bits) {
            long folded = (bits ^ bits >>> 32) * FACTOR;
            return folded ^ folded >>> 29;
        }
    }

    /** Each node holds what it contributes. */
    public ReducedContents(ReductionPlan plan, int nodes, ResultSink sink) {
        this.plan = plan;
        this.placement = plan.placement();
        this.sink = sink;
        for (int rank = 0; rank < nodes; rank++) {
            Map<Integer, Content> contributions = new HashMap<>();
            Content own = Content.ofRank(rank);
            for (int chunk = 0; chunk < plan.chunks(); chunk++) {
                contributions.put(plan.contributionPiece(rank, chunk), own);
            }
            held.add(contributions);
        }
    }

    /** A piece has come to a node. */
    public void stored(int rank, int fromRank, int piece) {
        held.get(rank).put(piece, contentOf(fromRank, piece));
    }

    /** A node has combined the inputs of a product. */
    public void produced(int rank, Product product) {
        int piece = product.piece();
        demand(placement.producedBy(rank).contains(piece), "produces a piece that is the product of another node");
        Content content = contentOf(rank, product.inputs().get(0));
        for (int i = 1; i < product.inputs().length(); i++) {
            content = content.followedBy(contentOf(rank, product.inputs().get(i)));
        }
        Content first = produced.putIfAbsent(piece, content);
        demand(first == null || first.equals(content), "produces piece " + piece + " again, with another content");
        held.get(rank).put(piece, content);
    }

    /**
     * A node is complete: its result is checked.
     *
     * @param ranks how many ranks, from the first one on, its result combines
     */
    public void completed(int rank, int ranks) {
        Content expected = null;
        for (int other = 0; other < ranks; other++) {
            Content own = Content.ofRank(other);
            expected = expected == null ? own : expected.followedBy(own);
        }
        for (int chunk = 0; chunk < plan.chunks(); chunk++) {
            int piece = plan.resultPiece(rank, chunk);
            if (piece >= 0) {
                Content content = contentOf(rank, piece);
                demand(
                        expected != null && content.order == expected.order && content.power == expected.power,
                        "has a wrong result in chunk " + chunk);
                sink.result(rank, chunk, content.groups);
            }
        }
    }

    private Content contentOf(int rank, int piece) {
        @Nullable Content content = held.get(rank).get(piece);
        if (content == null) {
            throw new InvariantViolationException("reads piece " + piece + " of rank " + rank + ", which lacks it");
        }
        return content;
    }
}
