package org.robber.emulation.simulator.network;

import org.robber.core.protocol.Message;

/** Who hears what arrives at a node. */
public interface Receiver {

    /** A message arrived. */
    void received(Connection connection, Message message, long nowNanos);

    /** The last byte of a piece arrived. */
    void pieceArrived(Connection connection, int piece, int waiting, long nowNanos);

    /** The other side has ended the connection: nothing more arrives. */
    void ended(Connection connection);
}
