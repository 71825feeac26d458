package org.robber.transport.job;

import java.util.List;
import org.robber.core.piece.PieceLayout;
import org.robber.core.protocol.ControlMessage.Member;
import org.robber.core.topology.Topology;
import org.robber.transport.link.Distance;

/**
 * How near the nodes of a job are to one another, as far as their addresses and clusters tell, and what follows from it for
 * the pieces.
 *
 * @param members the nodes by rank, as a roster names them
 * @param topology their clusters
 */
record Nearness(List<Member> members, Topology topology) {

    /**
     * Whether all nodes are processes of one machine: those are that came to rank 0 over its loopback interface. Rank 0
     * tells everybody the addresses of all who came another way, so every node says the same.
     */
    boolean isOneMachine() {
        return members.subList(1, members.size()).stream().allMatch(member -> isLoopback(member.dataAddress()));
    }

    private static boolean isLoopback(String address) {
        return address.startsWith("127.") || address.equals("::1") || address.startsWith("0:0:0:0:0:0:0:1");
    }

    /** The layout of data when nobody asks for a piece size; the same at every node. */
    PieceLayout automaticLayout(long totalBytes) {
        return isOneMachine()
                ? PieceLayout.insideMachine(totalBytes)
                : PieceLayout.automatic(totalBytes, topology.mostLinesIntoACluster());
    }

    /** How far two nodes are from each other. */
    Distance distance(int rank, int otherRank) {
        if (members.get(rank).dataAddress().equals(members.get(otherRank).dataAddress())) {
            return Distance.SAME_MACHINE;
        }
        return topology.sameCluster(rank, otherRank) ? Distance.SAME_CLUSTER : Distance.OTHER_CLUSTER;
    }
}
