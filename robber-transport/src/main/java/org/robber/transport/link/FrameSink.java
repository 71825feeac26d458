package org.robber.transport.link;

import org.robber.core.protocol.Message;
import org.robber.core.protocol.Message.PieceBlock;
import org.robber.core.wire.MessageCodec;

/** Takes what a {@link FrameReader} reads; called on the connection's event loop. */
interface FrameSink {

    /** What reads the messages of the multicast that goes on now, and refuses what can't belong to it. */
    MessageCodec codec();

    /** A message other than a block arrived. */
    void received(Message message);

    /**
     * The head of a block arrived: where shall its bytes go?
     *
     * @param reader who asks
     */
    BlockPlace placeFor(PieceBlock block, BlockReader reader);

    /** All bytes of the block are at their place. */
    void blockReceived(PieceBlock block);

    /** The other side broke the protocol. */
    void violated(String why);
}
