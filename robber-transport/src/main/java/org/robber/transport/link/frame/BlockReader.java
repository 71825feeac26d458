package org.robber.transport.link.frame;

import io.netty.buffer.ByteBuf;

/** Reads the bytes of blocks into their places. Any thread. */
public interface BlockReader {

    /** It is worth asking for a place again, after {@link BlockPlace#WAIT}. */
    void resume();

    /**
     * Lets go of a place, also in the middle of a block, whose other bytes are thrown away.
     *
     * @param left told once nothing more is written there, at once or later from another thread
     */
    void leave(ByteBuf bytes, Runnable left);
}
