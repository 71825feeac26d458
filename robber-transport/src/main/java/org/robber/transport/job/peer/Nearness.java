package org.robber.transport.job.peer;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.robber.core.piece.PieceLayout;
import org.robber.core.topology.Topology;
import org.robber.transport.control.ControlMessage.Member;
import org.robber.transport.link.pace.Distance;
import org.robber.transport.sockets.Hosts;

/**
 * How near the nodes of a job are to one another, as far as their addresses and clusters tell, and what follows from it for
 * the pieces.
 *
 * @param members the nodes by rank, as a roster names them
 * @param topology their clusters
 */
public record Nearness(List<Member> members, Topology topology) {
    private static final InetAddress ANY = new InetSocketAddress(0).getAddress();

    /** Of all nodes, by rank. */
    static Nearness of(List<Member> nodes) {
        return new Nearness(
                List.copyOf(nodes),
                Topology.of(nodes.stream().map(Member::cluster).toList()));
    }

    /**
     * Whether all nodes are processes of one machine. Rank 0 names one address for all nodes of its own machine, so every node comes
     * to the same answer.
     */
    public boolean isOneMachine() {
        return IntStream.range(1, members.size()).allMatch(rank -> sameMachine(0, rank));
    }

    /** Whether data may cross lines between clusters. */
    public boolean hasLongLines() {
        return topology.clusterCount() > 1 && !isOneMachine();
    }

    private boolean sameMachine(int rank, int otherRank) {
        String address = members.get(rank).dataAddress();
        String otherAddress = members.get(otherRank).dataAddress();
        return address.equals(otherAddress) || (isLoopback(address) && isLoopback(otherAddress));
    }

    private static boolean isLoopback(String address) {
        return Hosts.numeric(address, ANY).isLoopbackAddress();
    }

    /** The layout of data if no piece size is given; the same at every node. */
    public PieceLayout automaticLayout(long totalBytes) {
        return automaticLayout(totalBytes, () -> totalBytes);
    }

    /** The same for data of which so many bytes enter or leave the busiest cluster. Inside one machine they do not matter. */
    public PieceLayout automaticLayout(long totalBytes, LongSupplier bytesOfCluster) {
        return isOneMachine()
                ? PieceLayout.insideMachine(totalBytes)
                : PieceLayout.automatic(totalBytes, bytesOfCluster.getAsLong(), topology.mostLinesIntoACluster());
    }

    /** How far two nodes are from each other. */
    public Distance distance(int rank, int otherRank) {
        if (sameMachine(rank, otherRank)) {
            return Distance.SAME_MACHINE;
        }
        return topology.sameCluster(rank, otherRank) ? Distance.SAME_CLUSTER : Distance.OTHER_CLUSTER;
    }
}
