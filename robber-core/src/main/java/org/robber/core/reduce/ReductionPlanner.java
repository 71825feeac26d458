package org.robber.core.reduce;

import com.google.common.math.LongMath;
import com.google.common.primitives.ImmutableIntArray;
import java.util.stream.IntStream;
import org.robber.core.topology.Topology;

/**
 * Plans the reductions of one group of nodes. All plans need at most {@link org.robber.core.piece.PieceLayout#MAX_PIECES} pieces, or throw an
 * {@link IllegalArgumentException}. Immutable.
 */
public interface ReductionPlanner {

    /** Each cluster combines its own vectors first; nodes of all clusters then share the rest. */
    static ReductionPlanner byClusters(Topology topology) {
        return new ClusterPlanner(topology);
    }

    /**
     * Each node combines what comes from its children with its own vector, as MPI libraries do. The root of the tree has the result, which others get
     * from there.
     *
     * @param parents the parent of each rank; -1 for the root alone
     */
    static ReductionPlanner alongTree(int[] parents) {
        return new TreePlanner(parents);
    }

    /** The bytes of all vectors of the largest cluster, from which the size of pieces is chosen: most pieces of a reduction stay in their cluster. */
    static long bytesOfCluster(long vectorBytes, Topology topology) {
        int members = IntStream.range(0, topology.clusterCount())
                .map(topology::clusterSize)
                .max()
                .orElseThrow();
        return LongMath.saturatedMultiply(vectorBytes, members);
    }

    /** Number of nodes. */
    int nodes();

    /**
     * The root gets the combined vector.
     *
     * @param chunks number of chunks of each vector, at least 0
     * @param commutative whether inputs may change places; if not, only vectors of consecutive ranks are combined first
     */
    ReductionPlan reduce(int root, int chunks, boolean commutative);

    /**
     * Every node gets the combined vector.
     *
     * @param chunks number of chunks of each vector, at least 0
     * @param commutative whether inputs may change places; if not, only vectors of consecutive ranks are combined first
     */
    ReductionPlan allReduce(int chunks, boolean commutative);

    /**
     * Each node gets a block of the combined vector. Blocks are in the order of ranks.
     *
     * @param chunksOfBlocks how many chunks the block of each rank has, at least 0; one number for each rank
     * @param commutative whether inputs may change places; if not, only vectors of consecutive ranks are combined first
     */
    ReductionPlan reduceScatter(ImmutableIntArray chunksOfBlocks, boolean commutative);

    /**
     * Each node gets the combination of the vectors of all ranks up to its own. Chunks pass from rank to rank, so this takes as many steps
     * as there are nodes.
     *
     * @param chunks number of chunks of each vector, at least 0
     */
    default ReductionPlan scan(int chunks) {
        return new PrefixReduction(nodes(), chunks, /* includesOwn= */ true);
    }

    /**
     * Each node but rank 0 gets the combination of the vectors of all ranks below its own.
     *
     * @param chunks number of chunks of each vector, at least 0
     */
    default ReductionPlan exScan(int chunks) {
        return new PrefixReduction(nodes(), chunks, /* includesOwn= */ false);
    }
}
