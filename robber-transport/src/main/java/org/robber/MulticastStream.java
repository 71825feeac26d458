package org.robber;

import java.io.Flushable;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;

/**
 * Brings a stream of bytes, of any length, from the root to all other nodes of a group, in order. The root writes, every other node reads. Memory is bounded:
 * a few chunks at each node. A root that is faster than its slowest reader waits for it. One thread at a time uses a stream at each node.
 */
public interface MulticastStream extends ByteChannel, Flushable {

    /**
     * At the root: takes what remains of the buffer. May wait until readers have room. The bytes leave when they fill a chunk, which has 8 to 64 MiB or a
     * third of the window, and at {@link #flush} or {@link #close}.
     *
     * @throws NonWritableChannelException at any other node
     * @throws RobberException if a node is lost, or the job fails
     */
    @Override
    int write(ByteBuffer source);

    /**
     * At the root: all bytes that were written leave now. A program flushes before it waits for anything that a reader does after it has read them. May wait
     * until readers have room.
     *
     * @throws NonWritableChannelException at any other node
     * @throws RobberException if a node is lost, or the job fails
     */
    @Override
    void flush();

    /**
     * At any node but the root: waits for bytes, each of which is verified.
     *
     * @return how many bytes were read; -1 if the root has closed the stream, and all bytes were read
     * @throws NonReadableChannelException at the root
     * @throws RobberException if a node is lost, the job fails, or the root aborts the stream. The bytes before were right. An interruption while no bytes are under way ends
     *     this read alone; later, it ends this node's part in the job
     */
    @Override
    int read(ByteBuffer target);

    /**
     * At the root: ends the stream as a failure. Readers get the bytes of full chunks and those that were flushed; then {@code read} throws
     * {@link RobberException.Reason#SOURCE}. A program does so if it cannot write all that it wanted to: after {@link #close} alone, readers take
     * what was written for the whole. Closes the stream; of no effect if that is done. The communicator goes on.
     *
     * @param why for people; readers get the first thousand characters
     * @throws NonWritableChannelException at any other node
     * @throws RobberException if a node is lost, or the job fails
     */
    void abort(String why);

    /**
     * At the root: brings the end of the stream to all nodes, and returns when they have everything. At any other node: reads nothing more;
     * what comes is thrown away. A node that was dropped waits here for the end of the stream. If a node leaves the job before the root has closed the stream, the stream fails at the others.
     */
    @Override
    void close();
}
