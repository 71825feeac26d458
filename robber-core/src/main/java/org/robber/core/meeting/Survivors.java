package org.robber.core.meeting;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Multiset;
import java.util.Set;

/**
 * The groups that the survivors of a group make, one after the other. A meeting in which they agree may end at some, and fail at others that lose the
 * next node before they have its message. Then some shrink the new group, and the others still the one before. Both meet in the same next group:
 * it depends on the group that was shrunk first, and on who is left. Not thread-safe.
 */
public final class Survivors {
    private final Group origin;
    private final long number;
    private final Multiset<ImmutableList<Integer>> made = HashMultiset.create();

    /**
     * Of a group that shrinks for the first time.
     *
     * @param number of this shrink among those of the group, at least 0
     */
    public Survivors(Group origin, long number) {
        this.origin = origin;
        this.number = number;
    }

    /** The group of all members but these. One with the same members that was made here before has another id. */
    public Group without(Set<Integer> lost) {
        ImmutableList<Integer> left =
                origin.ranks().stream().filter(rank -> !lost.contains(rank)).collect(ImmutableList.toImmutableList());
        return Group.ofSurvivors(origin, number, made.add(left, 1), left);
    }
}
