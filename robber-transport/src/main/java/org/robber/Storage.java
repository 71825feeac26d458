package org.robber;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/**
 * Where data comes from or goes to: a fixed number of bytes, read and written by position. Implementations are safe for
 * use by several threads at a time on different ranges.
 */
public interface Storage extends Closeable {

    /** Size of the data, at least 0. */
    long sizeBytes();

    /**
     * Fills what remains of the buffer with the bytes at this position.
     *
     * @throws IOException if they can't be read, all of them; the message names the file
     */
    void read(long offsetBytes, ByteBuffer target) throws IOException;

    /**
     * Writes what remains of the buffer to this position.
     *
     * @throws IOException if they can't be written, all of them; the message names the file
     */
    void write(long offsetBytes, ByteBuffer source) throws IOException;

    /**
     * The bytes of this range as memory that can be read and written in place, or null if they aren't in memory. The view
     * has position 0 and the range's length as its limit.
     *
     * <p>A piece in direct memory may be verified on a thread that serves connections, which calls {@link #verified} then.
     */
    default @Nullable ByteBuffer memory(long offsetBytes, int lengthBytes) {
        return null;
    }

    /**
     * The bytes of this range as a part of one open file that the kernel can send by itself, or null if they aren't. Must
     * be released, once.
     */
    default @Nullable FileRange fileRange(long offsetBytes, int lengthBytes) throws IOException {
        return null;
    }

    /**
     * The digest that these bytes have, if they were verified to be right and are here still; else null. What is known when
     * {@link MulticastChannel#resume} begins is not transferred again.
     *
     * @param offsetBytes where a piece begins
     * @param lengthBytes length of the piece
     * @return of the kind that the channel has ({@link ChannelOptions#digest})
     */
    default byte @Nullable [] verifiedDigest(long offsetBytes, int lengthBytes) {
        return null;
    }

    /**
     * Says that the bytes of a piece are here and right. A storage that outlives this process may write that down, for
     * {@link #verifiedDigest}.
     *
     * @param digest of the kind that the channel was opened with
     * @throws IOException if it can't be written down; the message names the file
     */
    default void verified(long offsetBytes, int lengthBytes, byte[] digest) throws IOException {}

    /** Part of an open file. */
    interface FileRange {
        /** The file, open for reading until {@link #release}; not to be closed by the caller. */
        FileChannel channel();

        /** Where the range begins in the file. */
        long positionBytes();

        /** Says that the caller is done with the range. */
        void release();
    }
}
