package org.robber.transport.job.peer;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.core.meeting.Group;
import org.robber.core.topology.Topology;

/**
 * The nodes that take part in a call: those of a group, or all of the job but those that were lost before. Strategies know them by numbers
 * without gaps; the numbers behind are those of joiners, of whom strategies do not know. Immutable.
 *
 * @param members the nodes
 * @param topology the nodes by number, and their clusters
 * @param jobSize how many nodes the job has, with those that were lost; ranks from there on are joiners'
 */
public record MulticastGroup(Group members, Topology topology, int jobSize) {

    /** The members of a group. */
    public static MulticastGroup of(Group members, Topology job) {
        List<String> clusters = members.ranks().stream()
                .map(rank -> job.clusterName(job.clusterOf(rank)))
                .toList();
        return new MulticastGroup(members, Topology.of(clusters), job.size());
    }

    /** All nodes of a job but these. */
    static MulticastGroup without(Set<Integer> lost, Topology job) {
        Group world = Group.world(job.size());
        if (lost.isEmpty()) {
            return new MulticastGroup(world, job, job.size());
        }
        return of(
                new Group(
                        world.id(),
                        IntStream.range(0, job.size())
                                .filter(rank -> !lost.contains(rank))
                                .boxed()
                                .toList()),
                job);
    }

    /** The rank in the job of each member, by number. */
    public List<Integer> ranks() {
        return members.ranks();
    }

    /** The rank of the node with this number. */
    public int rank(int number) {
        return number < members.size() ? members.rank(number) : jobSize + number - members.size();
    }

    /** The number of the node with this rank; negative if it takes no part. */
    public int number(int rank) {
        return rank < jobSize ? members.number(rank) : members.size() + rank - jobSize;
    }

    /** The number of the root of this rank. Fails if it was lost. */
    public int requireRoot(JobContext context, int rank) {
        int number = number(rank);
        if (number < 0) {
            throw new RobberException(
                    Reason.NETWORK, List.of(rank), "multicast", context.describe(rank) + ", a root, was lost");
        }
        return number;
    }
}
