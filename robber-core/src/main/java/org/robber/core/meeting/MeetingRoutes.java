package org.robber.core.meeting;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ContiguousSet;
import com.google.common.collect.DiscreteDomain;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Range;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.robber.core.topology.Topology;

/**
 * Whom a member of a group talks to, by rank. Members of a cluster form a tree with their leader at the top. Leaders talk to each other
 * directly.
 *
 * @param below its children: they send the payloads of their subtrees, and get those of all
 * @param above its parent, or all other leaders if it is one: they get the payloads of its subtree
 * @param subtree itself and all below it, by number in the group
 * @param everyone all members, by number in the group
 * @param sources for each neighbour, the numbers of the members whose payloads it sends, in their order
 */
record MeetingRoutes(
        ImmutableList<Integer> below,
        ImmutableList<Integer> above,
        ImmutableList<Integer> subtree,
        ImmutableList<Integer> everyone,
        ImmutableMap<Integer, ImmutableList<Integer>> sources) {

    static MeetingRoutes of(Group group, Topology topology, int self) {
        checkArgument(group.number(self) >= 0, "rank %s is not in %s", self, group);
        Map<Integer, List<Integer>> numbersOfCluster = new LinkedHashMap<>();
        for (int number = 0; number < group.size(); number++) {
            numbersOfCluster
                    .computeIfAbsent(topology.clusterOf(group.rank(number)), first -> new ArrayList<>())
                    .add(number);
        }
        int ownCluster = topology.clusterOf(self);
        ImmutableList<Integer> everyone = ContiguousSet.create(
                        Range.closedOpen(0, group.size()), DiscreteDomain.integers())
                .asList();
        MemberTree tree = new MemberTree(numbersOfCluster.getOrDefault(ownCluster, List.of()));
        int index = Collections.binarySearch(tree.members(), group.number(self));
        ImmutableMap.Builder<Integer, ImmutableList<Integer>> sources = ImmutableMap.builder();
        ImmutableList.Builder<Integer> below = ImmutableList.builder();
        for (int child : tree.children(index)) {
            int rank = group.rank(tree.members().get(child));
            below.add(rank);
            sources.put(rank, tree.subtree(child));
        }
        ImmutableList.Builder<Integer> above = ImmutableList.builder();
        if (index > 0) {
            int parent = group.rank(tree.parent(index));
            above.add(parent);
            sources.put(parent, everyone);
        } else {
            numbersOfCluster.forEach((cluster, numbers) -> {
                if (cluster != ownCluster) {
                    MemberTree other = new MemberTree(numbers);
                    int leader = group.rank(other.leader());
                    above.add(leader);
                    sources.put(leader, other.subtree(0));
                }
            });
        }
        return new MeetingRoutes(below.build(), above.build(), tree.subtree(index), everyone, sources.buildOrThrow());
    }
}
