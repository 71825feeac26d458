package org.robber.transport.collective;

import com.google.common.collect.ImmutableList;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.robber.transport.collective.Reduction.BlockSizes;

/**
 * The part of one root that all want, in two steps: the root sends each member a slice, and then all send each other their slices. So no member sends more than
 * twice the data. It is the scatter and allGather of van de Geijn.
 */
final class PersonalBcast {
    private final Movement movement;
    private final int root;
    private final @Nullable Region data;
    private final BlockSizes slices;

    private PersonalBcast(Movement movement, Part part) {
        this.movement = movement;
        this.root = part.owners().get(0);
        this.data = part.place();
        this.slices = BlockSizes.equal(part.sizeBytes(), movement.size());
    }

    /** Null if the movement is something else. */
    static @Nullable PersonalBcast of(Movement movement) {
        if (movement.size() == 1 || movement.parts().size() != 1) {
            return null;
        }
        Part part = movement.parts().get(0);
        return part.wanters() == null && part.owners().size() == 1 ? new PersonalBcast(movement, part) : null;
    }

    /** The root's slices go to their members. */
    Movement scattered() {
        return perSlice(slice -> part(slice, root, ImmutableList.of(slice)));
    }

    /** The members' slices go to all but the root. */
    Movement gathered() {
        ImmutableList<Integer> wanters = IntStream.range(0, movement.size())
                .filter(each -> each != root)
                .boxed()
                .collect(ImmutableList.toImmutableList());
        return perSlice(slice -> part(slice, slice, wanters));
    }

    private Movement perSlice(IntFunction<Part> part) {
        return new Movement(
                movement.rank(),
                movement.size(),
                IntStream.range(0, movement.size()).mapToObj(part).collect(ImmutableList.toImmutableList()));
    }

    private Part part(int slice, int owner, ImmutableList<Integer> wanters) {
        long bytes = slices.bytes().get(slice);
        Region place = data == null ? null : data.part(slices.offset(slice), bytes);
        boolean isOwner = movement.rank() == owner;
        return new Part(
                bytes,
                ImmutableList.of(owner),
                wanters,
                isOwner ? place : null,
                !isOwner && wanters.contains(movement.rank()) ? place : null);
    }
}
