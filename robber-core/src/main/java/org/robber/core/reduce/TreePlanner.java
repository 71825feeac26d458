package org.robber.core.reduce;

import static com.google.common.base.Preconditions.checkElementIndex;

import com.google.common.primitives.ImmutableIntArray;

/** Plans in which vectors are combined along a tree: {@link TreeReduction}. */
final class TreePlanner implements ReductionPlanner {
    private final int[] parents;

    TreePlanner(int[] parents) {
        this.parents = parents.clone();
    }

    @Override
    public ReductionPlan reduce(int root, int chunks, boolean commutative) {
        checkElementIndex(root, parents.length, "root");
        return new TreeReduction(parents, chunks, commutative, ResultParts.wholeFor(root, chunks));
    }

    @Override
    public ReductionPlan allReduce(int chunks, boolean commutative) {
        return new TreeReduction(parents, chunks, commutative, ResultParts.wholeForAll(chunks));
    }

    @Override
    public ReductionPlan reduceScatter(ImmutableIntArray chunksOfBlocks, boolean commutative) {
        ResultParts blocks = ResultParts.blocks(chunksOfBlocks, nodes());
        int chunks = chunksOfBlocks.stream().reduce(0, Math::addExact);
        return new TreeReduction(parents, chunks, commutative, blocks);
    }

    @Override
    public int nodes() {
        return parents.length;
    }
}
