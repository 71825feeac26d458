package org.robber.transport.collective;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import java.util.Arrays;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.robber.Op;
import org.robber.Operation;
import org.robber.core.reduce.ReductionPlan;
import org.robber.transport.collective.data.ArgumentHash;
import org.robber.transport.collective.data.Elements;
import org.robber.transport.collective.data.PartLayout;
import org.robber.transport.collective.data.Region;
import org.robber.transport.collective.reduce.Combination;
import org.robber.transport.collective.reduce.Reduction;
import org.robber.transport.collective.reduce.Reduction.BlockSizes;

/** The calls that combine data. All methods check their arguments before anything is sent. */
public final class ReductionCalls {
    private static final int ALL_BLOCKS = -1;

    private final CallRunner runner;
    private final int rank;
    private final int size;

    public ReductionCalls(CallRunner runner) {
        this.runner = runner;
        this.rank = runner.member().rank();
        this.size = runner.member().size();
    }

    /** As {@link org.robber.Communicator#iReduce}. */
    public Operation<Void> reduce(Object in, @Nullable Object out, Op op, int root) {
        DataCalls.checkRoot(root, size);
        Arguments arguments = new Arguments(in, op);
        return runWhole(
                "reduce to rank " + root,
                arguments,
                rank == root ? arguments.result(out) : null,
                each -> each == root ? size : 0,
                layout -> runner.reductions().reduce(root, layout.pieceCount(), op.isCommutative()));
    }

    /** As {@link org.robber.Communicator#iAllReduce(Object, Object, Op)}. */
    public Operation<Void> allReduce(Object in, Object out, Op op) {
        Arguments arguments = new Arguments(in, op);
        return runWhole(
                "allReduce",
                arguments,
                arguments.result(out),
                each -> size,
                layout -> runner.reductions().allReduce(layout.pieceCount(), op.isCommutative()));
    }

    /** As {@link org.robber.Communicator#iScan}. */
    public Operation<Void> scan(Object in, Object out, Op op) {
        Arguments arguments = new Arguments(in, op);
        return runWhole(
                "scan",
                arguments,
                arguments.result(out),
                each -> each + 1,
                layout -> runner.reductions().scan(layout.pieceCount()));
    }

    /** As {@link org.robber.Communicator#iExScan}. */
    public Operation<Void> exScan(Object in, Object out, Op op) {
        Arguments arguments = new Arguments(in, op);
        return runWhole(
                "exScan",
                arguments,
                arguments.result(out),
                each -> each,
                layout -> runner.reductions().exScan(layout.pieceCount()));
    }

    /** As {@link org.robber.Communicator#iReduceScatter(Object, Object, Op)}. */
    public Operation<Void> reduceScatter(Object in, Object out, Op op) {
        long count = Elements.of("in", in).count();
        checkArgument(count % size == 0, "%s elements are no multiple of %s nodes", count, size);
        long[] counts = new long[size];
        Arrays.fill(counts, count / size);
        return reduceScatter(in, out, counts, op);
    }

    /** As {@link org.robber.Communicator#iReduceScatter(Object, Object, int[], Op)}. */
    public Operation<Void> reduceScatter(Object in, Object out, int[] counts, Op op) {
        checkArgument(counts != null, "counts is null");
        return reduceScatter(in, out, Arrays.stream(counts).asLongStream().toArray(), op);
    }

    private Operation<Void> reduceScatter(Object in, Object out, long[] counts, Op op) {
        Arguments arguments = new Arguments(in, op);
        checkArgument(counts.length == size, "%s counts for %s nodes", counts.length, size);
        checkArgument(
                LongStream.of(counts).allMatch(each -> each >= 0 && each % arguments.unit() == 0),
                "counts: %s",
                ImmutableLongArray.copyOf(counts));
        checkArgument(
                LongStream.of(counts).sum() == arguments.in.count(),
                "the counts add up to %s elements, of %s",
                LongStream.of(counts).sum(),
                arguments.in.count());
        Elements result = Elements.of("out", out).checkWritable("out");
        DataCalls.checkSameType(arguments.in, result);
        checkArgument(
                result.count() == counts[rank], "out has %s elements for a block of %s", result.count(), counts[rank]);
        checkArgument(!arguments.in.overlaps(result), "reduceScatter needs other memory for its result");
        int elementBytes = arguments.in.type().bytes();
        BlockSizes blocks =
                new BlockSizes(ImmutableLongArray.copyOf(LongStream.of(counts).map(each -> each * elementBytes)));
        return run(
                "reduceScatter in blocks (hash " + ArgumentHash.of(LongStream.of(counts)) + ")",
                arguments,
                arguments.reduction(
                        blocks,
                        /* inPlace= */ false,
                        result.all(),
                        rank,
                        each -> size,
                        layout -> planOfBlocks(layout, op)));
    }

    /** A block is a piece at least, and each member has one of each block. So there may be too many, and only of this call. */
    private ReductionPlan planOfBlocks(PartLayout layout, Op op) {
        try {
            return runner.reductions()
                    .reduceScatter(
                            ImmutableIntArray.copyOf(IntStream.range(0, size)
                                    .map(block -> layout.endPiece(block) - layout.firstPiece(block))),
                            op.isCommutative());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "reduceScatter among " + size + " nodes needs too many pieces (" + e.getMessage()
                            + "): an allReduce needs fewer, and each node can take its block of the result",
                    e);
        }
    }

    /**
     * A reduction whose result has one block.
     *
     * @param out null if this node has no room for a result
     * @param contributors how many nodes contribute to the result of each; without any there is none
     */
    private Operation<Void> runWhole(
            String call,
            Arguments arguments,
            @Nullable Elements out,
            IntUnaryOperator contributors,
            Function<PartLayout, ReductionPlan> plan) {
        return run(
                call,
                arguments,
                arguments.reduction(
                        new BlockSizes(ImmutableLongArray.of(arguments.in.all().sizeBytes())),
                        out != null && arguments.takesPlace(out),
                        out == null || contributors.applyAsInt(rank) == 0 ? null : out.all(),
                        ALL_BLOCKS,
                        contributors,
                        plan));
    }

    private Operation<Void> run(String call, Arguments arguments, Reduction reduction) {
        return runner.reduce(
                call + " by " + arguments.op + (arguments.op.isCommutative() ? "" : " in the order of ranks") + " of "
                        + arguments.in.describe(),
                reduction);
    }

    /** What all reductions have. */
    private final class Arguments {
        private final Elements in;
        private final Op op;
        private final Combination combination;

        Arguments(Object in, Op op) {
            checkArgument(op != null, "op is null");
            this.in = Elements.of("in", in);
            this.op = op;
            this.combination = Combination.of(this.in.type(), op);
            checkArgument(
                    this.in.count() % unit() == 0, "%s elements are no pairs of value and location", this.in.count());
        }

        /** So many elements belong together. */
        int unit() {
            return op.kind() == Op.Kind.MIN_LOC || op.kind() == Op.Kind.MAX_LOC ? 2 : 1;
        }

        /** The buffer for a result of the size of a contribution. */
        Elements result(@Nullable Object out) {
            Elements result = Elements.of("out", out).checkWritable("out");
            DataCalls.checkSameType(in, result);
            checkArgument(in.count() == result.count(), "in has %s elements, and out %s", in.count(), result.count());
            return result;
        }

        /** Whether the result may be written where the contribution is. */
        boolean takesPlace(Elements result) {
            boolean same = in.overlaps(result);
            checkArgument(
                    !same || in.isSamePlace(result),
                    "out must be in, or other memory; it is a part of the same memory");
            return same || in.mayOverlapUnseen(result);
        }

        Reduction reduction(
                BlockSizes blocks,
                boolean inPlace,
                @Nullable Region result,
                int ownBlock,
                IntUnaryOperator contributors,
                Function<PartLayout, ReductionPlan> plan) {
            return new Reduction(
                    rank,
                    runner.member().worldRank(rank),
                    size,
                    combination,
                    op.name(),
                    op.kind() == Op.Kind.USER,
                    blocks,
                    in.all(),
                    inPlace,
                    result,
                    ownBlock,
                    contributors,
                    plan);
        }
    }
}
