package org.robber.transport.collective.shared;

import com.google.common.math.LongMath;
import com.google.common.primitives.Ints;
import java.io.IOException;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.robber.RobberException.Reason;
import org.robber.transport.collective.data.PartLayout;
import org.robber.transport.collective.data.Region;
import org.robber.transport.collective.data.StorageFailure;
import org.robber.transport.collective.reduce.Reduction;
import org.robber.transport.collective.reduce.Reduction.BlockSizes;

/**
 * A reduction through {@link SharedWindows}. All show a chunk of each slice of their vectors. Each member combines the chunks of its slice, in the order of ranks.
 * If the result is not its own alone, it shows that in the next round. It is the reduce-scatter and gather of Rabenseifner.
 */
final class SharedReduction implements SharedRounds {
    private final Reduction reduction;
    private final SharedWindows windows;
    private final BlockSizes slices;
    private final boolean showsResults;

    /** The index of the result that this node gets; negative if it gets none. */
    private final int ownResult;

    /** The most bytes of a slice in a round. */
    private final int chunkBytes;

    private final int count;

    SharedReduction(Reduction reduction, SharedWindows windows) {
        this.reduction = reduction;
        this.windows = windows;
        this.slices = reduction.slices();
        this.showsResults = reduction.ownBlock() < 0;
        this.ownResult = Arrays.binarySearch(
                reduction.numbersOfContributors(), reduction.contributors().applyAsInt(reduction.rank()));
        this.chunkBytes = Ints.checkedCast(PartLayout.alignedDown(windows.halfBytes() / reduction.size()));
        long chunks = LongMath.divide(slices.bytes().stream().max().orElse(0), chunkBytes, RoundingMode.CEILING);
        this.count = Ints.checkedCast(showsResults ? 2 * chunks : chunks);
    }

    @Override
    public int count() {
        return count;
    }

    private boolean isOfResults(int round) {
        return showsResults && round % 2 == 1;
    }

    private long offset(int round) {
        return (long) (showsResults ? round / 2 : round) * chunkBytes;
    }

    /** The bytes of a slice that belong to a round. */
    private int bytes(int slice, int round) {
        return (int) Math.max(0, Math.min(chunkBytes, slices.bytes().get(slice) - offset(round)));
    }

    /** Where they begin in a vector. */
    private long place(int slice, int round) {
        return slices.offset(slice) + offset(round);
    }

    @Override
    public void show(int round) {
        int rank = reduction.rank();
        if (isOfResults(round)) {
            combine(round - 1, index -> result(rank, index, round));
            return;
        }
        for (int slice : slicesIn(round)) {
            try {
                reduction.in().read(place(slice, round), contribution(rank, slice, round));
            } catch (IOException e) {
                throw new StorageFailure(Reason.SOURCE, e);
            }
        }
    }

    /** The slices of which a round has bytes. */
    private int[] slicesIn(int round) {
        return IntStream.range(0, reduction.size())
                .filter(slice -> bytes(slice, round) > 0)
                .toArray();
    }

    /** The contribution of a member to a slice, in a round that shows contributions. */
    private ByteBuffer contribution(int member, int slice, int round) {
        return windows.half(member, round).slice(slice * chunkBytes, bytes(slice, round));
    }

    /** The result of this index of a member's slice, in a round that shows results. */
    private ByteBuffer result(int slice, int index, int round) {
        return windows.half(slice, round).slice(index * chunkBytes, bytes(slice, round));
    }

    /** Combines what all have shown of this node's slice in a round. */
    private void combine(int round, IntFunction<ByteBuffer> results) {
        if (bytes(reduction.rank(), round) > 0) {
            List<ByteBuffer> vectors = IntStream.range(0, reduction.size())
                    .mapToObj(member -> contribution(member, reduction.rank(), round))
                    .toList();
            reduction.combine(vectors, results);
        }
    }

    @Override
    public long copy(int round) {
        Region out = reduction.out();
        if (out == null || ownResult < 0) {
            return 0;
        }
        long copied = 0;
        try {
            if (isOfResults(round)) {
                for (int slice : slicesIn(round)) {
                    ByteBuffer result = result(slice, ownResult, round);
                    copied += result.remaining();
                    out.write(place(slice, round), result);
                }
            } else if (!showsResults && bytes(reduction.rank(), round) > 0) {
                ByteBuffer result = ByteBuffer.allocate(bytes(reduction.rank(), round));
                combine(round, any -> result);
                copied += result.remaining();
                out.write(offset(round), result.rewind());
            }
        } catch (IOException e) {
            throw new StorageFailure(Reason.DESTINATION, e);
        }
        return copied;
    }

    @Override
    public long ownBytes() {
        return 0;
    }

    @Override
    public void end() {
        // All results are at their place.
    }
}
