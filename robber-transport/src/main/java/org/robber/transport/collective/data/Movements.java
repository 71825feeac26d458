package org.robber.transport.collective.data;

import com.google.common.collect.ContiguousSet;
import com.google.common.collect.DiscreteDomain;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Range;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The parts of each call that only moves data.
 *
 * @param rank of this node in the group
 * @param size number of members
 */
public record Movements(int rank, int size) {

    /** All get what the roots have. */
    public Movement bcast(Region data, ImmutableList<Integer> roots) {
        boolean isRoot = roots.contains(rank);
        return movement(new Part(data.sizeBytes(), roots, null, isRoot ? data : null, isRoot ? null : data));
    }

    /** Nothing. */
    public Movement none() {
        return new Movement(rank, size, ImmutableList.of());
    }

    /** All get the parts of all. */
    public Movement allGather(IntToLongFunction sizeBytes, Region own, IntFunction<Region> targets) {
        return perRank(part -> new Part(
                sizeBytes.applyAsLong(part),
                ImmutableList.of(part),
                null,
                part == rank ? own : null,
                targets.apply(part)));
    }

    /**
     * The root gets a part from each member.
     *
     * @param targets null everywhere but at the root
     */
    public Movement gather(IntToLongFunction sizeBytes, Region own, @Nullable IntFunction<Region> targets, int root) {
        return perRank(part -> new Part(
                sizeBytes.applyAsLong(part),
                ImmutableList.of(part),
                ImmutableList.of(root),
                part == rank ? own : null,
                targets == null ? null : targets.apply(part)));
    }

    /**
     * Each member gets a part from the root.
     *
     * @param sources null everywhere but at the root
     */
    public Movement scatter(IntToLongFunction sizeBytes, @Nullable IntFunction<Region> sources, Region own, int root) {
        return perRank(part -> new Part(
                sizeBytes.applyAsLong(part),
                ImmutableList.of(root),
                ImmutableList.of(part),
                sources == null ? null : sources.apply(part),
                part == rank ? own : null));
    }

    /** The size of what one member has for another. */
    public interface PairSize {
        long bytes(int from, int to);
    }

    /** Each gets its part of what each has. Pairs that have nothing for each other have no part. */
    public Movement allToAll(PairSize sizes, IntFunction<Region> sources, IntFunction<Region> targets) {
        List<ImmutableList<Integer>> alone =
                ranks().stream().map(ImmutableList::of).toList();
        ImmutableList.Builder<Part> parts = ImmutableList.builder();
        for (int from = 0; from < size; from++) {
            for (int to = 0; to < size; to++) {
                long bytes = sizes.bytes(from, to);
                if (bytes > 0) {
                    parts.add(new Part(
                            bytes,
                            alone.get(from),
                            alone.get(to),
                            from == rank ? sources.apply(to) : null,
                            to == rank ? targets.apply(from) : null));
                }
            }
        }
        return new Movement(rank, size, parts.build());
    }

    private Movement movement(Part part) {
        return new Movement(rank, size, ImmutableList.of(part));
    }

    private Movement perRank(IntFunction<Part> part) {
        return new Movement(rank, size, ranks().stream().map(part::apply).collect(ImmutableList.toImmutableList()));
    }

    private ImmutableList<Integer> ranks() {
        return ContiguousSet.create(Range.closedOpen(0, size), DiscreteDomain.integers())
                .asList();
    }
}
