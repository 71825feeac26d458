package org.robber.emulation.simulator.network;

import org.robber.core.protocol.Message;

/** Takes the messages and pieces that arrive at a node. */
public interface Receiver {

    /** A message arrived. */
    void received(Connection connection, Message message, long nowNanos);

    /** The last byte of a piece arrived; when it began to leave, so many others waited behind it. */
    void pieceArrived(Connection connection, int piece, int waiting, long nowNanos);

    /** The other side has ended the connection: nothing more arrives. */
    void ended(Connection connection);
}
