package org.robber.transport.collective.reduce;

import com.google.common.primitives.ImmutableLongArray;
import com.google.common.primitives.Ints;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.core.reduce.ReductionPlan;
import org.robber.transport.collective.data.PartLayout;
import org.robber.transport.collective.data.Region;

/**
 * A reduction at one member. All members contribute a vector. It consists of blocks, of which members get one or all.
 *
 * @param rank of this node in the group
 * @param worldRank of this node in the job, for failures
 * @param size number of members
 * @param combination what is done to two vectors
 * @param operation its name, for people
 * @param byUser whether it calls functions of the user
 * @param blocks the sizes of the blocks in bytes
 * @param in what this node contributes
 * @param inPlace whether the result takes the place of what this node contributes
 * @param out where the result goes; null if this node gets none
 * @param ownBlock the block that this node gets; negative for all
 * @param contributors how many of the first ranks make the result of a rank; 0 if it gets none
 * @param plan who combines what in an exchange, for blocks that are divided so
 */
public record Reduction(
        int rank,
        int worldRank,
        int size,
        Combination combination,
        String operation,
        boolean byUser,
        BlockSizes blocks,
        Region in,
        boolean inPlace,
        @Nullable Region out,
        int ownBlock,
        IntUnaryOperator contributors,
        Function<PartLayout, ReductionPlan> plan) {

    /** With so many pieces, the sets of pieces in messages have a few KiB. */
    private static final int MOST_PIECES = 1 << 16;

    /** The sizes of the blocks of a vector. */
    public record BlockSizes(ImmutableLongArray bytes) {

        /** So many equal blocks, but for the last ones. They begin at elements. */
        static BlockSizes equal(long totalBytes, int count) {
            long blockBytes = PartLayout.sliceBytes(totalBytes, count);
            return new BlockSizes(ImmutableLongArray.copyOf(LongStream.range(0, count)
                    .map(block -> Math.max(0, Math.min(blockBytes, totalBytes - block * blockBytes)))));
        }

        public long total() {
            return bytes.stream().sum();
        }

        /** Where a block begins. */
        public long offset(int block) {
            return bytes.stream().limit(block).sum();
        }
    }

    /** The size of a vector. */
    public long vectorBytes() {
        return blocks.total();
    }

    /** What each member combines if each combines a slice: its block, or an equal part of the vector. */
    public BlockSizes slices() {
        return ownBlock >= 0 ? blocks : BlockSizes.equal(vectorBytes(), size);
    }

    /** The bytes that all members bring together. */
    public long broughtBytes() {
        return Math.multiplyExact(vectorBytes(), (long) size);
    }

    /** The numbers of first ranks whose vectors together are a result, ascending. */
    public int[] numbersOfContributors() {
        return IntStream.range(0, size)
                .map(contributors)
                .filter(each -> each > 0)
                .sorted()
                .distinct()
                .toArray();
    }

    /**
     * Combines vectors of one place for all results. Each result continues the one before.
     *
     * @param vectors of all ranks
     * @param results takes each, by its index among {@link #numbersOfContributors}
     */
    public void combine(List<ByteBuffer> vectors, IntFunction<ByteBuffer> results) {
        List<ByteBuffer> first = new ArrayList<>();
        int[] numbers = numbersOfContributors();
        int done = 0;
        for (int index = 0; index < numbers.length; index++) {
            first.addAll(vectors.subList(done, numbers[index]));
            ByteBuffer result = results.apply(index);
            combine(first, result);
            first = new ArrayList<>(List.of(result));
            done = numbers[index];
        }
    }

    /** Whether a combination of few bytes may take long. */
    public boolean mayBlock() {
        return byUser || !in.isInMemory() || (out != null && !out.isInMemory());
    }

    /** What this node contributes. */
    public byte[] payload() {
        ByteBuffer payload = ByteBuffer.allocate(Ints.checkedCast(vectorBytes()));
        in.appendTo(payload);
        return payload.array();
    }

    /** Combines the vectors of all members, by rank, and stores the result. */
    public void combine(List<byte[]> payloads) {
        Region target = out;
        int vectorCount = contributors.applyAsInt(rank);
        if (target == null || vectorCount == 0 || target.sizeBytes() == 0) {
            return;
        }
        int from = ownBlock < 0 ? 0 : Ints.checkedCast(blocks.offset(ownBlock));
        List<ByteBuffer> vectors = payloads.stream()
                .limit(vectorCount)
                .map(each -> ByteBuffer.wrap(each, from, (int) target.sizeBytes()))
                .toList();
        ByteBuffer result = ByteBuffer.allocate((int) target.sizeBytes());
        combine(vectors, result);
        target.fill(result, 0);
    }

    /** Combines vectors of one place. */
    public void combine(List<ByteBuffer> vectors, ByteBuffer result) {
        try {
            combination.combine(vectors, result);
        } catch (RuntimeException | Error e) {
            throw new RobberException(
                    Reason.USAGE,
                    List.of(worldRank),
                    operation,
                    "the operation '" + operation + "' has failed at rank " + worldRank + ": " + e,
                    e);
        }
    }

    /** The chunks of a vector, for a reduction in pieces. */
    public PartLayout layout(int wantedPieceBytes) {
        // A chunk has a piece for each contribution, and for each partial and final result.
        long fewest = vectorBytes() / MOST_PIECES * (2L * size + 1);
        return PartLayout.of(blocks.bytes().toArray(), Ints.saturatedCast(Math.max(wantedPieceBytes, fewest)));
    }
}
