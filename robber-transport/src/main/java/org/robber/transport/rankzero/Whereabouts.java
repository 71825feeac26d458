package org.robber.transport.rankzero;

import com.google.common.collect.ImmutableList;
import java.net.InetAddress;
import java.util.List;
import org.robber.transport.control.ControlMessage;
import org.robber.transport.control.ControlMessage.Announce;
import org.robber.transport.control.ControlMessage.Member;
import org.robber.transport.control.ControlMessage.Roster;
import org.robber.transport.sockets.Hosts;

/**
 * Where the nodes of a job are, as rank 0 sees it when all have come.
 *
 * @param nodes the announcements of all, by rank
 * @param seen the addresses from which they came, by rank; one for all nodes of rank 0's machine
 * @param besideRankZero whether they are on rank 0's machine
 */
@SuppressWarnings("ArrayRecordComponent") // never compared or copied
record Whereabouts(List<Announce> nodes, List<InetAddress> seen, boolean[] besideRankZero) {
    /** A roster has a limit; in larger jobs it has one address of each node. */
    private static final int MOST_NODES_WITH_SEVERAL_ADDRESSES = 10_000;

    int size() {
        return nodes.size();
    }

    /** The address at which peers reach a node. */
    InetAddress address(int rank) {
        return Hosts.numeric(firstGiven(rank), seen.get(rank));
    }

    /**
     * The address at which peers reach a node, in numbers.
     *
     * @param forOthers whether the addresses of rank 0's machine are left empty where they have not been given: each of the
     *     others puts in the one at which it has reached rank 0
     */
    String told(int rank, boolean forOthers) {
        String given = firstGiven(rank);
        return given.isEmpty() ? asSeen(rank, forOthers) : given;
    }

    private String firstGiven(int rank) {
        List<String> given = nodes.get(rank).dataAddresses();
        return given.isEmpty() ? "" : given.get(0);
    }

    private String asSeen(int rank, boolean forOthers) {
        return besideRankZero[rank] && forOthers ? "" : seen.get(rank).getHostAddress();
    }

    /** What the node has told, with the address at which it is seen in place of an empty one. */
    private ImmutableList<String> addresses(int rank, boolean forOthers) {
        return nodes.get(rank).dataAddresses().stream()
                .map(address -> address.isEmpty() ? asSeen(rank, forOthers) : address)
                .distinct()
                .limit(size() > MOST_NODES_WITH_SEVERAL_ADDRESSES ? 1 : ControlMessage.MAX_ADDRESSES)
                .collect(ImmutableList.toImmutableList());
    }

    /** All nodes with these clusters, which are by rank; the other parameter is that of {@link #told}. */
    Roster roster(long seed, List<String> clusters, boolean forOthers) {
        ImmutableList.Builder<Member> members = ImmutableList.builder();
        for (int rank = 0; rank < size(); rank++) {
            Announce node = nodes.get(rank);
            members.add(new Member(
                    clusters.get(rank), node.host(), node.processId(), addresses(rank, forOthers), node.dataPort()));
        }
        return new Roster(seed, members.build());
    }
}
