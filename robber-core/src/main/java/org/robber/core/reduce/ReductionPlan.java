package org.robber.core.reduce;

import static com.google.common.base.Preconditions.checkElementIndex;

import com.google.common.collect.ImmutableList;
import org.robber.core.topology.DataPlacement;

/**
 * Which node combines which inputs in a reduction, and in which order; the same on all nodes. The vector of each node is divided into
 * equally many chunks of one size. A piece is one chunk: of what a node contributes, of a partial result, or of the result.
 *
 * <p>The order of combination is part of the plan, and the plan depends on the strategy, the topology and the number of chunks alone. So a call gives the
 * same bits each time. Made by a {@link ReductionPlanner}. Immutable.
 */
public interface ReductionPlan {
    /** Number of chunks of each vector. */
    int chunks();

    /** Who possesses, wants and produces which pieces. */
    DataPlacement placement();

    /** The products of a node, in the order of their chunks; a product may be an input of another. */
    ImmutableList<Product> productsOf(int rank);

    /** The piece that a node contributes to a chunk; it possesses that piece when the call begins. */
    default int contributionPiece(int rank, int chunk) {
        return rank * chunks() + chunk;
    }

    /** The piece in which a node gets a chunk of its result; -1 if that chunk is not part of its result. */
    int resultPiece(int rank, int chunk);

    /** The chunk that a piece is about. By default, the pieces of each vector are in a row. */
    default int chunkOf(int piece) {
        return checkElementIndex(piece, placement().pieceCount(), "piece") % chunks();
    }
}
