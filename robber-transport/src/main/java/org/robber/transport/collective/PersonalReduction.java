package org.robber.transport.collective;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.Ints;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.robber.core.meeting.PersonalPayloads;
import org.robber.core.meeting.PersonalPayloads.Outgoing;
import org.robber.transport.collective.Reduction.BlockSizes;

/**
 * A reduction of which each member combines a slice of all vectors, by the order of ranks. Members send each other the slices of what they contribute, and
 * then what they have combined. It is the reduce-scatter and gather of Rabenseifner, with direct messages.
 */
final class PersonalReduction {
    private final Reduction reduction;

    /** Where the slice of each member lies in a vector. */
    private final BlockSizes slices;

    /** What this node has combined, by the number of the first ranks in it. */
    private final Map<Integer, ByteBuffer> combined = new HashMap<>();

    PersonalReduction(Reduction reduction) {
        this.reduction = reduction;
        this.slices = reduction.slices();
    }

    private int sliceBytes(int rank) {
        return Ints.checkedCast(slices.bytes().get(rank));
    }

    /** As {@link PersonalParts#fit}. */
    boolean fits(long mostBytes) {
        return reduction.vectorBytes() <= mostBytes / reduction.size()
                && slices.bytes().stream().allMatch(slice -> slice <= PersonalPayloads.MOST_BYTES);
    }

    /** Whether members get results of others. */
    boolean hasResultsOfOthers() {
        return reduction.ownBlock() < 0;
    }

    /** Reads what this node contributes to the slices of others. */
    PersonalPayloads contributions() {
        ImmutableList.Builder<Outgoing> sent = ImmutableList.builder();
        others().filter(to -> sliceBytes(to) > 0)
                .forEach(to -> sent.add(new Outgoing(ImmutableList.of(to), contribution(to))));
        return new PersonalPayloads(
                sent.build(),
                sliceBytes(reduction.rank()) == 0
                        ? ImmutableSet.of()
                        : others().boxed().collect(ImmutableSet.toImmutableSet()));
    }

    private IntStream others() {
        return IntStream.range(0, reduction.size()).filter(each -> each != reduction.rank());
    }

    private ByteBuffer contribution(int slice) {
        return reduction.in().part(slices.offset(slice), sliceBytes(slice)).toBuffer();
    }

    /** Combines the own slice, of which others have sent their contributions, by rank. */
    void combine(Map<Integer, ByteBuffer> received) {
        int rank = reduction.rank();
        if (sliceBytes(rank) == 0) {
            return;
        }
        List<ByteBuffer> vectors = new ArrayList<>();
        for (int each = 0; each < reduction.size(); each++) {
            vectors.add(each == rank ? contribution(rank) : received.get(each));
        }
        int[] numbers = reduction.numbersOfContributors();
        reduction.combine(vectors, index -> {
            ByteBuffer result = ByteBuffer.allocate(sliceBytes(rank));
            combined.put(numbers[index], result);
            return result;
        });
    }

    /** What this node has combined for others. */
    PersonalPayloads results() {
        ImmutableList.Builder<Outgoing> sent = ImmutableList.builder();
        combined.forEach((contributors, result) -> {
            ImmutableList<Integer> to = others().filter(
                            each -> reduction.contributors().applyAsInt(each) == contributors)
                    .boxed()
                    .collect(ImmutableList.toImmutableList());
            if (!to.isEmpty()) {
                sent.add(new Outgoing(to, result));
            }
        });
        return new PersonalPayloads(
                sent.build(),
                isReceiver()
                        ? others().filter(from -> sliceBytes(from) > 0).boxed().collect(ImmutableSet.toImmutableSet())
                        : ImmutableSet.of());
    }

    private boolean isReceiver() {
        return reduction.contributors().applyAsInt(reduction.rank()) > 0;
    }

    /** Stores the result, of which others have sent their slices, by rank. */
    void place(Map<Integer, ByteBuffer> received) {
        Region out = reduction.out();
        if (out == null || !isReceiver()) {
            return;
        }
        ByteBuffer own = combined.get(reduction.contributors().applyAsInt(reduction.rank()));
        if (own != null) {
            place(own, out, hasResultsOfOthers() ? slices.offset(reduction.rank()) : 0);
        }
        received.forEach((from, bytes) -> place(bytes, out, slices.offset(from)));
    }

    private static void place(ByteBuffer bytes, Region out, long at) {
        out.part(at, bytes.remaining()).fill(bytes, bytes.position());
    }
}
