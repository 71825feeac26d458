package org.robber.core.node;

import org.robber.core.protocol.Message;

/** What happened to a node since its last call: the only way by which the world reaches a {@link MulticastNode}. */
public sealed interface Event {

    /**
     * The peer takes part in this multicast and can be sent messages. Comes once per peer of the overlay, in any order,
     * before anything is received from that peer.
     */
    record PeerReady(int peerRank) implements Event {}

    /** The peer is gone for good (its connection broke, or it broke the protocol); nothing more comes from it. */
    record PeerLost(int peerRank) implements Event {}

    /** A message arrived. Messages of one peer arrive in the order in which they were sent. */
    record Received(int fromRank, Message message) implements Event {}

    /** A requested piece arrived from this peer, was verified against its digest, is stored and can be read. */
    record PieceStored(int fromRank, int piece) implements Event {}

    /** A requested piece arrived from this peer but did not match its digest; its bytes were thrown away. */
    record PieceCorrupt(int fromRank, int piece) implements Event {}

    /** The deadline set by {@link Action.SetTimer} for this key has passed. */
    record TimerFired(TimerKey key) implements Event {}
}
