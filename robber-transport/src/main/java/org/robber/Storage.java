package org.robber;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where data comes from or goes to: a fixed number of bytes, read and written by position. Implementations are safe for
 * use by several threads at a time on different ranges.
 */
public interface Storage extends Closeable {

    /**
     * Memory: what remains of buffers, one after the other. Heap or direct. Bytes of read-only buffers can be sent. Closing the storage does nothing.
     */
    static Storage of(ByteBuffer... buffers) {
        return new BufferStorage(List.of(buffers));
    }

    /**
     * New memory outside of the heap, all zero.
     *
     * @param sizeBytes at least 0; may be more than 2 GiB
     */
    static Storage allocateDirect(long sizeBytes) {
        return BufferStorage.allocateDirect(sizeBytes);
    }

    /**
     * An open file, as it is now. It must be open for reading, since others are sent what has been received, and for writing where data are received. Closing the storage closes the channel. As with every {@link FileChannel}, interrupting a thread that reads or writes closes
     * it, too.
     */
    static Storage of(FileChannel channel) throws IOException {
        return of(channel, channel.size());
    }

    /**
     * The same for the first bytes of a file, which may be shorter until they are written.
     *
     * @param sizeBytes at least 0
     */
    static Storage of(FileChannel channel, long sizeBytes) {
        return new ChannelStorage(channel, sizeBytes, "the file");
    }

    /**
     * The regular files of a folder and of the folders in it, one after the other in the order of their paths. Links are not followed. Files and sizes are
     * those of now: a node that receives has files of these names and sizes already, such as those of an earlier copy.
     *
     * @throws IOException if there is no such folder, or it can't be read
     */
    static Storage tree(Path folder) throws IOException {
        return new TreeStorage(folder);
    }

    /** Size of the data, at least 0. */
    long sizeBytes();

    /**
     * Whether reads and writes are copies in memory, and wait for nothing. Those of small pieces are then made on threads that serve connections.
     */
    default boolean isInMemory() {
        return false;
    }

    /** Whether nothing can be written. A call that would receive into it is refused then, before anything is sent. */
    default boolean isReadOnly() {
        return false;
    }

    /**
     * Fills what remains of the buffer with the bytes at this position: the buffer's position is its limit then. The buffer is not to be used after that.
     *
     * @throws IOException if they can't be read, all of them; the message names the file. A buffer that is not filled is such a failure, too, and so is any
     *     other exception
     */
    void read(long offsetBytes, ByteBuffer target) throws IOException;

    /**
     * Writes what remains of the buffer to this position. The buffer may be read-only, and is not to be used after that.
     *
     * @throws IOException if they can't be written, all of them; the message names the file. Any other exception is such a failure, too
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
