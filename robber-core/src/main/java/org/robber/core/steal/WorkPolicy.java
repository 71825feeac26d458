package org.robber.core.steal;

import org.robber.core.peer.Peer;
import org.robber.core.protocol.Message;
import org.robber.core.transfer.ProtocolBreach;

/**
 * Decides how work moves between the nodes of a cluster. Before it is told of work that came back, peers in other clusters have been
 * told. By default, work does not move.
 */
public interface WorkPolicy {
    /** The peer can be sent messages, and was told what we desire of it. */
    default void peerReady(Peer peer) {}

    /** A message that is not about pieces or the end; throws {@link ProtocolBreach} if it breaks the protocol. */
    default void received(Peer peer, Message message) {
        throw new ProtocolBreach(message.type() + " has no place in this strategy");
    }

    /** Pieces that were pending, or those of a lost mate, are own work again. */
    default void ownWorkGrew() {}

    /** Whether work of this peer may be on its way here, which would be lost with the connection. */
    default boolean awaitsWorkOf(Peer peer) {
        return false;
    }

    /**
     * The connection to the peer is gone.
     *
     * @param ownWorkGrew whether pieces that were pending there are own work again
     */
    default void peerLost(Peer peer, boolean ownWorkGrew) {}

    /**
     * Nothing comes from the peer though it owes pieces.
     *
     * @param ownWorkGrew whether pieces that were pending there are own work again
     */
    default void peerStalled(Peer peer, boolean ownWorkGrew) {}

    /** Does what is due; called after each event. */
    default void afterEvent() {}

    /** The timer of no progress fired: a node is dead, and pieces are lacked. Called each time. */
    default void noProgressTimerFired() {}

    /** Whether work may still come: a mate was asked for it, or it has just come. */
    default boolean isExpectingWork() {
        return false;
    }
}
