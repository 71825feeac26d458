package org.robber.core.meeting;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ContiguousSet;
import com.google.common.collect.DiscreteDomain;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Range;
import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The nodes of a communicator. Each has a number in the group, 0..size-1. Immutable. */
public final class Group {
    private static final long WORLD_ID = 0;

    private final long id;
    private final ImmutableList<Integer> ranks;
    private final ImmutableMap<Integer, Integer> numberOfRank;
    private final ImmutableSet<Integer> dependencies;

    /**
     * A group that depends on its members alone.
     *
     * @param id unique in the job, and equal at all members
     * @param ranks the rank in the job of each member, in the order of their numbers: at least one, distinct
     */
    public Group(long id, List<Integer> ranks) {
        this(id, ranks, ImmutableSet.copyOf(ranks));
    }

    private Group(long id, List<Integer> ranks, ImmutableSet<Integer> dependencies) {
        this.dependencies = dependencies;
        checkArgument(!ranks.isEmpty(), "a group of nobody");
        this.id = id;
        this.ranks = ImmutableList.copyOf(ranks);
        ImmutableMap.Builder<Integer, Integer> numbers = ImmutableMap.builderWithExpectedSize(ranks.size());
        for (int number = 0; number < this.ranks.size(); number++) {
            numbers.put(this.ranks.get(number), number);
        }
        this.numberOfRank = numbers.buildOrThrow();
    }

    /** All members of a job; numbers are ranks. */
    public static Group world(int size) {
        return new Group(
                WORLD_ID,
                ContiguousSet.create(Range.closedOpen(0, size), DiscreteDomain.integers())
                        .asList());
    }

    /**
     * A group that a call of its parent has made. It depends on all that the parent depends on. Its id is a hash of the arguments, so all members find the same
     * one alone.
     *
     * @param callNumber the number of the call in the parent, at least 0; no other call that makes groups has it
     * @param colour tells apart groups that one call makes
     * @param ranks the rank in the job of each member, in the order of their new numbers
     */
    public static Group child(Group parent, long callNumber, long colour, List<Integer> ranks) {
        Hasher hasher = Hashing.sha256()
                .newHasher()
                .putLong(parent.id)
                .putLong(callNumber)
                .putLong(colour);
        ranks.forEach(hasher::putInt);
        long id = hasher.hash().asLong();
        return new Group(id == WORLD_ID ? 1 : id, ranks, parent.dependencies);
    }

    /**
     * As {@link #child}, of the members that survive; it depends on them alone.
     *
     * @param callNumber of the shrink, at least 0
     * @param attempt tells apart groups of the same members
     */
    static Group ofSurvivors(Group parent, long callNumber, int attempt, List<Integer> ranks) {
        Group group = child(parent, -1 - callNumber, attempt, ranks);
        return new Group(group.id, ranks);
    }

    /**
     * Whether the loss of this node ends the calls of the group. That is so for its members, and for those of the groups that it was made from.
     * Members of this group may be in calls of those groups. When these calls fail, such members do not come to calls of this group.
     */
    public boolean dependsOn(int rank) {
        return dependencies.contains(rank);
    }

    /** Unique in the job, and equal at all members; 0 for all nodes of the job. */
    public long id() {
        return id;
    }

    /** The rank in the job of each member, in the order of their numbers. */
    public ImmutableList<Integer> ranks() {
        return ranks;
    }

    public int size() {
        return ranks.size();
    }

    /** The rank in the job of the member with this number, 0..size-1. */
    public int rank(int number) {
        return ranks.get(number);
    }

    /** The number in this group of the node with this rank in the job; negative if it is no member. */
    public int number(int rank) {
        return numberOfRank.getOrDefault(rank, -1);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Group group && group.id == id && group.ranks.equals(ranks);
    }

    @Override
    public int hashCode() {
        return Objects.hash(id, ranks.size());
    }

    @Override
    public String toString() {
        return "group " + Long.toHexString(id) + " of ranks " + ranks;
    }
}
