package org.robber.transport.collective;

import com.google.common.collect.ContiguousSet;
import com.google.common.collect.DiscreteDomain;
import com.google.common.collect.Range;
import com.google.common.primitives.ImmutableLongArray;
import com.google.common.primitives.Ints;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.core.reduce.ReductionPlan;

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
 * @param contributors the ranks whose vectors make the result of this node
 * @param plan who combines what in an exchange, for blocks that are divided so
 */
record Reduction(
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
        ContiguousSet<Integer> contributors,
        Function<PartLayout, ReductionPlan> plan) {

    /** With so many pieces, the sets of pieces in messages have a few KiB. */
    private static final int MOST_PIECES = 1 << 16;

    /** The sizes of the blocks of a vector. */
    record BlockSizes(ImmutableLongArray bytes) {
        long total() {
            return bytes.stream().sum();
        }

        /** Where a block begins. */
        long offset(int block) {
            return bytes.stream().limit(block).sum();
        }
    }

    static ContiguousSet<Integer> ranks(int end) {
        return ContiguousSet.create(Range.closedOpen(0, end), DiscreteDomain.integers());
    }

    /** The size of a vector. */
    long vectorBytes() {
        return blocks.total();
    }

    /** The bytes that all members bring together. */
    long broughtBytes() {
        return Math.multiplyExact(vectorBytes(), (long) size);
    }

    /** Whether a combination of few bytes may take long. */
    boolean mayBlock() {
        return byUser || !in.isInMemory() || (out != null && !out.isInMemory());
    }

    /** What this node contributes. */
    byte[] payload() {
        ByteBuffer payload = ByteBuffer.allocate(Ints.checkedCast(vectorBytes()));
        in.appendTo(payload);
        return payload.array();
    }

    /** Combines the vectors of all members, by rank, and stores the result. */
    void combine(List<byte[]> payloads) {
        Region target = out;
        if (target == null || contributors.isEmpty() || target.sizeBytes() == 0) {
            return;
        }
        int from = ownBlock < 0 ? 0 : Ints.checkedCast(blocks.offset(ownBlock));
        List<ByteBuffer> vectors = contributors.stream()
                .map(each -> ByteBuffer.wrap(payloads.get(each), from, (int) target.sizeBytes()))
                .toList();
        ByteBuffer result = ByteBuffer.allocate((int) target.sizeBytes());
        combine(vectors, result);
        target.fill(result, 0);
    }

    /** Combines vectors of one place. */
    void combine(List<ByteBuffer> vectors, ByteBuffer result) {
        try {
            combination.combine(vectors, result);
        } catch (RuntimeException e) {
            throw new RobberException(
                    Reason.USAGE,
                    List.of(worldRank),
                    operation,
                    "the operation '" + operation + "' has failed at rank " + worldRank + ": " + e,
                    e);
        }
    }

    /** The chunks of a vector, for a reduction in pieces. */
    PartLayout layout(int wantedPieceBytes) {
        // A chunk has a piece for each contribution, and for each partial and final result.
        long fewest = vectorBytes() / MOST_PIECES * (2L * size + 1);
        return PartLayout.of(blocks.bytes().toArray(), Ints.saturatedCast(Math.max(wantedPieceBytes, fewest)));
    }
}
