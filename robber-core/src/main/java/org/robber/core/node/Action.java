package org.robber.core.node;

import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;

/** What a node asks its driver to do, in order, once {@link MulticastNode#handle} has returned. */
public sealed interface Action {

    /** Send a message to a peer. Messages to one peer keep their order among themselves. */
    record Send(int toRank, Message message) implements Action {}

    /** Send the bytes of a piece that this node possesses, with its digest, block by block. */
    record SendPiece(int toRank, int piece) implements Action {}

    /** Take back a {@link SendPiece} that has not left yet, if any. */
    record CancelPiece(int toRank, int piece) implements Action {}

    /** Fire {@link Event.TimerFired} once monotonic time reaches the deadline; replaces an earlier deadline of this key. */
    record SetTimer(TimerKey key, long atNanos) implements Action {}

    /** Close the connection to a peer that broke the protocol; no event follows from it. */
    record Disconnect(int peerRank, String why) implements Action {}

    /** This node possesses every piece. It goes on serving. */
    record Completed() implements Action {}

    /**
     * This node lacks these pieces. Nothing is on its way, and nothing has come for a while. Reported only after a loss: once, and again after something has come. The last copy of some pieces may be lost, which {@link LostPieces}
     * finds from the reports of all nodes.
     */
    record Starved(PieceSet pieces) implements Action {}

    /**
     * In place of {@link Completed}: this node possesses every piece but these, which will not come. It goes on serving.
     */
    record Incomplete(PieceSet pieces) implements Action {}

    /**
     * This node and all peers that are not lost have everything that is left, and have said so. Nothing more is sent or received,
     * unless a lost peer comes back.
     */
    record Finished() implements Action {}
}
