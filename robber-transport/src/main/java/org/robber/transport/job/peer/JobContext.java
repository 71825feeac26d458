package org.robber.transport.job.peer;

import java.time.Duration;
import java.util.List;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.core.topology.Topology;
import org.robber.transport.control.ControlMessage.Member;
import org.robber.transport.link.pace.SendRate;
import org.robber.transport.link.pace.SendRates;
import org.robber.transport.mesh.Mesh;
import org.robber.transport.reach.PeerDialer;
import org.robber.transport.reach.PeerListener;
import org.robber.transport.reach.RelayService;
import org.robber.transport.rendezvous.ControlPlane;
import org.robber.transport.sockets.Sockets;
import org.robber.transport.storage.StorageThreads;

/**
 * The resources and settings of a node in a job.
 *
 * @param controlPlane the control connections
 * @param nearness all members of the job, and how near they are to one another
 * @param knownNodes the same, and those that have joined since
 * @param sockets event loops, shared by all connections of the node
 * @param listener accepts connections from peers
 * @param dialer connects to peers
 * @param relays passes on bytes of nodes that cannot connect to each other
 * @param mesh small calls of groups
 * @param sendRates limits for the pieces that this node sends
 * @param storageThreads threads that read, hash and write pieces
 * @param connectTimeout how long connections to peers may take
 * @param idleTimeout how long a node may be silent
 * @param peerStallTimeout how long a peer that owes pieces may send nothing until others are asked for them
 * @param stallTimeout how long a node may make no progress
 */
public record JobContext(
        ControlPlane controlPlane,
        Nearness nearness,
        KnownNodes knownNodes,
        Sockets sockets,
        PeerListener listener,
        PeerDialer dialer,
        RelayService relays,
        Mesh mesh,
        SendRates sendRates,
        StorageThreads storageThreads,
        Duration connectTimeout,
        Duration idleTimeout,
        Duration peerStallTimeout,
        Duration stallTimeout) {

    /** The rank of this node in the job. */
    public int rank() {
        return controlPlane.rank();
    }

    public Member member(int rank) {
        return knownNodes.member(rank);
    }

    /** All members of the job and their clusters. */
    public Topology topology() {
        return nearness.topology();
    }

    /** How fast pieces may be sent to a node. */
    SendRate sendRate(int peer) {
        return sendRates.to(knownNodes.topology().sameCluster(rank(), peer));
    }

    /** Whether this node may show its data to others of its machine: a limit holds for what it gives to them, too. */
    public boolean mayShareMemory() {
        return !sendRates.to(/* sameCluster= */ true).isLimited();
    }

    /** How long peers may be silent. */
    LinkTable.Limits linkLimits() {
        return new LinkTable.Limits(idleTimeout, peerStallTimeout);
    }

    /** A node as errors name it. */
    public String describe(int rank) {
        return knownNodes.describe(rank);
    }

    /** Whether a node was not there from the start. */
    public boolean isJoiner(int rank) {
        return rank >= topology().size();
    }

    /** A failure of this node or of another, told from here. */
    public RobberException failure(Reason reason, int rank, String phase, String what) {
        return new RobberException(
                reason, List.of(rank), phase, describe(rank) + " failed during '" + phase + "': " + what);
    }
}
