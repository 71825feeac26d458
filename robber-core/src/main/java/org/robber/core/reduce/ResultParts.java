package org.robber.core.reduce;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.primitives.ImmutableIntArray;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/**
 * Which chunks of the result each node gets.
 *
 * @param firstChunk the first chunk of each rank
 * @param endChunk one more than its last chunk
 */
record ResultParts(IntUnaryOperator firstChunk, IntUnaryOperator endChunk) {

    /** One rank gets everything. */
    static ResultParts wholeFor(int root, int chunks) {
        return new ResultParts(rank -> 0, rank -> rank == root ? chunks : 0);
    }

    /** All ranks get everything. */
    static ResultParts wholeForAll(int chunks) {
        return new ResultParts(rank -> 0, rank -> chunks);
    }

    /** Each rank gets the next so many chunks. */
    static ResultParts blocks(ImmutableIntArray chunksOfBlocks, int nodes) {
        checkArgument(chunksOfBlocks.length() == nodes, "%s blocks for %s nodes", chunksOfBlocks.length(), nodes);
        int[] ends = chunksOfBlocks.toArray();
        Arrays.parallelPrefix(ends, Math::addExact);
        return new ResultParts(rank -> ends[rank] - chunksOfBlocks.get(rank), rank -> ends[rank]);
    }

    int first(int rank) {
        return firstChunk.applyAsInt(rank);
    }

    int end(int rank) {
        return endChunk.applyAsInt(rank);
    }

    boolean contains(int rank, int chunk) {
        return chunk >= first(rank) && chunk < end(rank);
    }
}
