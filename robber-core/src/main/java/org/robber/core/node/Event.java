package org.robber.core.node;

import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;

/** The input of a {@link MulticastNode}: what happened since its last call. A node has no other input. */
public sealed interface Event {

    /**
     * The peer takes part in this multicast and can be sent messages. Comes before anything is received from that peer;
     * again after each {@link PeerLost} that was not the last, when a new connection has been made; and for a node that was no
     * peer so far, if the overlay was repaired ({@link org.robber.core.topology.OverlayRepair}). What was said over an earlier
     * connection is void: both sides begin anew.
     */
    record PeerReady(int peerRank) implements Event {}

    /**
     * The connection to the peer is gone: nothing more comes over it, and what was asked of the peer will not come. It may be
     * made anew, which is another {@link PeerReady}.
     */
    record PeerLost(int peerRank) implements Event {}

    /**
     * For a while nothing has come from the peer, not even a part of a piece, though it owes pieces. A slow peer has not stalled. The
     * stall ends with the next event from the peer, or with {@link PeerRevived}.
     */
    record PeerStalled(int peerRank) implements Event {}

    /** Something came from the peer again, if only that it is alive: it may be asked again. */
    record PeerRevived(int peerRank) implements Event {}

    /** A node, peer or not, is gone for good, and with it what only that node possessed. */
    record NodeLost(int lostRank) implements Event {}

    /**
     * No living node possesses these pieces ({@link LostPieces}). They cannot come any more, so no node waits for them. Pieces that
     * this node possesses are ignored.
     */
    record GivenUp(PieceSet pieces) implements Event {}

    /** A message arrived. Messages of one peer arrive in the order in which they were sent. */
    record Received(int fromRank, Message message) implements Event {}

    /**
     * A requested piece begins to arrive from this peer.
     *
     * @param waiting how many requests of this node waited there when the piece began to leave
     */
    record PieceBegun(int fromRank, int piece, int waiting) implements Event {}

    /** A requested piece arrived from this peer, was verified against its digest, is stored and can be read. */
    record PieceStored(int fromRank, int piece) implements Event {}

    /**
     * The driver has combined the inputs of a piece that this node produces ({@link
     * org.robber.core.topology.DataPlacement#producedBy}); it is stored and can be read.
     */
    record PieceProduced(int piece) implements Event {}

    /** A requested piece arrived from this peer but did not match its digest; its bytes were thrown away. */
    record PieceCorrupt(int fromRank, int piece) implements Event {}

    /** The deadline set by {@link Action.SetTimer} for this key has passed. */
    record TimerFired(TimerKey key) implements Event {}
}
