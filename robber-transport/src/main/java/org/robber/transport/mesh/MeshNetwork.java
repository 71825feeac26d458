package org.robber.transport.mesh;

import io.netty.channel.Channel;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.robber.core.topology.Topology;
import org.robber.transport.link.pace.SendRate;
import org.robber.transport.link.pace.SendRates;
import org.robber.transport.reach.PeerDialer;
import org.robber.transport.reach.PeerListener;
import org.robber.transport.rendezvous.ControlPlane;
import org.robber.transport.sockets.Sockets;

/**
 * How a node reaches the others.
 *
 * @param controlPlane the control connections
 * @param topology all members of the job and their clusters
 * @param sockets event loops of the node
 * @param listener accepts connections from peers
 * @param dialer connects to peers
 * @param sendRates how fast this node may send what users give it
 * @param connectTimeout how long connections to peers may take
 * @param idleTimeout how long a peer may be silent
 */
public record MeshNetwork(
        ControlPlane controlPlane,
        Topology topology,
        Sockets sockets,
        PeerListener listener,
        PeerDialer dialer,
        SendRates sendRates,
        Duration connectTimeout,
        Duration idleTimeout) {

    /** The number of the channel of all connections of the mesh; no other channel has it. */
    static final long CHANNEL = -1;

    int rank() {
        return controlPlane.rank();
    }

    CompletableFuture<Channel> dial(int peer) {
        return dialer.dial(CHANNEL, peer, controlPlane.roster().members().get(peer), connectTimeout);
    }

    SendRate sendRate(int peer) {
        return sendRates.to(topology.sameCluster(rank(), peer));
    }

    void later(Runnable work, long pauseMillis) {
        sockets.later(work, pauseMillis);
    }
}
