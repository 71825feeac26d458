package org.robber.transport.link.frame;

import org.robber.core.protocol.Message;
import org.robber.core.protocol.Message.PieceBlock;
import org.robber.core.wire.MessageCodec;

/** Takes the messages and blocks that a {@link FrameReader} reads; called on the connection's event loop. */
public interface FrameSink {

    /** Decodes the messages of the multicast that the peer has begun, and refuses messages that cannot belong to it. */
    MessageCodec codec();

    /** A message other than a block arrived. */
    void received(Message message);

    /** Whether more may be read; if not, {@link FrameReader#resume} is called later. */
    boolean mayRead();

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
