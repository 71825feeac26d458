package org.robber.transport.collective.member;

import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.robber.RobberException;
import org.robber.core.meeting.Group;
import org.robber.core.topology.Topology;
import org.robber.transport.rendezvous.BlockingCalls;

/**
 * This node as a member of a group.
 *
 * @param group the members
 * @param rank of this node in the group
 * @param topology the members and their clusters, by their ranks in the group
 * @param waiting waits for calls
 * @param failJob ends the job for all
 * @param who names a node by its rank in the job, for people
 */
public record Membership(
        Group group,
        int rank,
        Topology topology,
        BlockingCalls waiting,
        Consumer<RobberException> failJob,
        IntFunction<String> who) {

    /** The rank of a member among all nodes of the job, by which failures name it. */
    public int worldRank(int member) {
        return group.rank(member);
    }

    /** How many members there are. */
    public int size() {
        return group.size();
    }
}
