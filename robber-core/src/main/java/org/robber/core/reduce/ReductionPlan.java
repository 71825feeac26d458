package org.robber.core.reduce;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkElementIndex;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.robber.core.topology.DataPlacement;
import org.robber.core.topology.Topology;

/**
 * Which node combines which inputs in a reduction, and in which order; the same on all nodes. The vector of each node is divided into
 * equally many chunks of one size. A piece is one chunk: of what a node contributes, of a partial result, or of the result.
 *
 * <p>The order of combination depends on the topology and the number of chunks alone, so a call gives the same bits each time. Immutable.
 */
public interface ReductionPlan {
    /** Up to so many clusters, all partial results go to the root's cluster. */
    int FEW_CLUSTERS = 2;

    /**
     * The root gets the combined vector. The clusters without the root combine equal parts of it, so each byte enters the root's
     * cluster once. With two clusters, that of the root combines everything.
     *
     * @param chunks number of chunks of each vector, at least 0
     * @param commutative whether inputs may change places; if not, only runs of consecutive ranks are combined first
     * @throws IllegalArgumentException if there are more pieces than {@link org.robber.core.piece.PieceLayout#MAX_PIECES}
     */
    static ReductionPlan reduce(Topology topology, int root, int chunks, boolean commutative) {
        int rootCluster = topology.clusterOf(checkElementIndex(root, topology.size(), "root"));
        int[] combining = IntStream.range(0, topology.clusterCount())
                .filter(cluster -> (cluster == rootCluster) == (topology.clusterCount() <= FEW_CLUSTERS))
                .toArray();
        return new ClusterReduction(
                topology,
                ChunkDivision.amongClusters(combining, chunks, topology),
                commutative,
                rank -> 0,
                rank -> rank == root ? chunks : 0);
    }

    /**
     * Every node gets the combined vector. Each cluster combines an equal part of it, divided among its nodes.
     *
     * @param chunks number of chunks of each vector, at least 0
     * @param commutative whether inputs may change places; if not, only runs of consecutive ranks are combined first
     * @throws IllegalArgumentException if there are more pieces than {@link org.robber.core.piece.PieceLayout#MAX_PIECES}
     */
    static ReductionPlan allReduce(Topology topology, int chunks, boolean commutative) {
        int[] all = IntStream.range(0, topology.clusterCount()).toArray();
        return new ClusterReduction(
                topology, ChunkDivision.amongClusters(all, chunks, topology), commutative, rank -> 0, rank -> chunks);
    }

    /**
     * Each node gets a block of the combined vector, and combines it. Blocks are in the order of ranks.
     *
     * @param chunksOfBlocks how many chunks the block of each rank has, at least 0; one number for each rank
     * @param commutative whether inputs may change places; if not, only runs of consecutive ranks are combined first
     * @throws IllegalArgumentException if there are more pieces than {@link org.robber.core.piece.PieceLayout#MAX_PIECES}
     */
    static ReductionPlan reduceScatter(Topology topology, ImmutableIntArray chunksOfBlocks, boolean commutative) {
        int nodes = topology.size();
        checkArgument(chunksOfBlocks.length() == nodes, "%s blocks for %s nodes", chunksOfBlocks.length(), nodes);
        int[] ends = chunksOfBlocks.toArray();
        Arrays.parallelPrefix(ends, Math::addExact);
        int[] producers = IntStream.range(0, nodes)
                .flatMap(rank -> IntStream.range(0, chunksOfBlocks.get(rank)).map(chunk -> rank))
                .toArray();
        return new ClusterReduction(
                topology, producers, commutative, rank -> ends[rank] - chunksOfBlocks.get(rank), rank -> ends[rank]);
    }

    /**
     * Each node gets the combination of the vectors of all ranks up to its own. Chunks pass from rank to rank, so this takes as many steps
     * as there are nodes.
     *
     * @param nodes number of nodes, at least 1
     * @param chunks number of chunks of each vector, at least 0
     * @throws IllegalArgumentException if there are more pieces than {@link org.robber.core.piece.PieceLayout#MAX_PIECES}
     */
    static ReductionPlan scan(int nodes, int chunks) {
        return new PrefixReduction(nodes, chunks, /* includesOwn= */ true);
    }

    /**
     * Each node but rank 0 gets the combination of the vectors of all ranks below its own.
     *
     * @param nodes number of nodes, at least 1
     * @param chunks number of chunks of each vector, at least 0
     * @throws IllegalArgumentException if there are more pieces than {@link org.robber.core.piece.PieceLayout#MAX_PIECES}
     */
    static ReductionPlan exScan(int nodes, int chunks) {
        return new PrefixReduction(nodes, chunks, /* includesOwn= */ false);
    }

    /** Number of chunks of each vector. */
    int chunks();

    /** Who possesses, wants and produces which pieces. */
    DataPlacement placement();

    /**
     * The same with relays, where they are of use. If all nodes want all of the result, relays would bring more copies into a cluster than
     * the call needs.
     *
     * @param mostRelayedPieces as in {@link DataPlacement#withRelays}
     */
    DataPlacement placement(int mostRelayedPieces);

    /** The products of a node, in the order of their chunks; a product may be an input of another. */
    ImmutableList<Product> productsOf(int rank);

    /** The piece that a node contributes to a chunk; it possesses that piece when the call begins. */
    int contributionPiece(int rank, int chunk);

    /** The piece in which a node gets a chunk of its result; -1 if that chunk is not part of its result. */
    int resultPiece(int rank, int chunk);

    /** The chunk that a piece is about. */
    int chunkOf(int piece);
}
