package org.robber.core.meeting;

import com.google.common.collect.ImmutableList;
import java.util.List;

/**
 * The tree of the members of a group in one cluster. The first is at the top: the leader. A member is known by its index here.
 *
 * @param members their numbers in the group, growing
 */
record MemberTree(List<Integer> members) {
    /** So many members get their messages from the leader itself: it can send these in a fraction of a millisecond. */
    static final int FLAT_CHILDREN = 32;

    static final int CHILDREN = 16;

    private int degree() {
        return members.size() <= FLAT_CHILDREN + 1 ? FLAT_CHILDREN : CHILDREN;
    }

    /** The number in the group of the leader. */
    int leader() {
        return members.get(0);
    }

    /** The number in the group of the parent of a member that is not the leader. */
    int parent(int index) {
        return members.get((index - 1) / degree());
    }

    /** The indices of the children. */
    List<Integer> children(int index) {
        ImmutableList.Builder<Integer> children = ImmutableList.builder();
        for (int child = index * degree() + 1; child <= (index + 1) * degree() && child < members.size(); child++) {
            children.add(child);
        }
        return children.build();
    }

    /** The numbers in the group of a member and of all below it: the member, then the subtree of each child. */
    ImmutableList<Integer> subtree(int index) {
        ImmutableList.Builder<Integer> numbers = ImmutableList.builder();
        addSubtree(index, numbers);
        return numbers.build();
    }

    private void addSubtree(int index, ImmutableList.Builder<Integer> numbers) {
        numbers.add(members.get(index));
        children(index).forEach(child -> addSubtree(child, numbers));
    }
}
