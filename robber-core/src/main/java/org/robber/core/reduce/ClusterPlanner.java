package org.robber.core.reduce;

import static com.google.common.base.Preconditions.checkElementIndex;

import com.google.common.primitives.ImmutableIntArray;
import java.util.stream.IntStream;
import org.robber.core.topology.Topology;

/** Plans in which each cluster combines its own vectors first: {@link ClusterReduction}. */
final class ClusterPlanner implements ReductionPlanner {
    /** Up to so many clusters, all partial results go to the root's cluster. */
    private static final int FEW_CLUSTERS = 2;

    private final Topology topology;

    ClusterPlanner(Topology topology) {
        this.topology = topology;
    }

    /** The clusters without the root combine equal parts, so each byte enters the root's cluster once. With two clusters, that of the root combines everything. */
    @Override
    public ReductionPlan reduce(int root, int chunks, boolean commutative) {
        int rootCluster = topology.clusterOf(checkElementIndex(root, topology.size(), "root"));
        int[] combining = IntStream.range(0, topology.clusterCount())
                .filter(cluster -> (cluster == rootCluster) == (topology.clusterCount() <= FEW_CLUSTERS))
                .toArray();
        return new ClusterReduction(
                topology,
                ChunkDivision.amongClusters(combining, chunks, topology),
                commutative,
                ResultParts.wholeFor(root, chunks));
    }

    /** Each cluster combines an equal part, divided among its nodes. */
    @Override
    public ReductionPlan allReduce(int chunks, boolean commutative) {
        int[] all = IntStream.range(0, topology.clusterCount()).toArray();
        return new ClusterReduction(
                topology,
                ChunkDivision.amongClusters(all, chunks, topology),
                commutative,
                ResultParts.wholeForAll(chunks));
    }

    /** Each node combines the block that it gets. */
    @Override
    public ReductionPlan reduceScatter(ImmutableIntArray chunksOfBlocks, boolean commutative) {
        ResultParts blocks = ResultParts.blocks(chunksOfBlocks, nodes());
        int[] producers = IntStream.range(0, nodes())
                .flatMap(rank -> IntStream.range(0, chunksOfBlocks.get(rank)).map(chunk -> rank))
                .toArray();
        return new ClusterReduction(topology, producers, commutative, blocks);
    }

    @Override
    public int nodes() {
        return topology.size();
    }
}
