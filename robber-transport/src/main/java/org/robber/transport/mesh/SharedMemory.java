package org.robber.transport.mesh;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.robber.core.meeting.MeshMessage.OfMeeting;
import org.robber.core.meeting.MeshMessage.Share;
import org.robber.transport.memory.SharedFile;

/**
 * Memory that this node shares with another one of its machine, with a {@link SharedRing} for each direction. One of them creates it; the other deletes the file
 * once it has opened it. Thread-safe, but for {@link #offer}.
 */
final class SharedMemory {
    private static final int BYTES = 2 * SharedRing.BYTES;

    private final int rank;
    private final SharedFile file;
    private final SharedRing out;
    private final SharedRing in;

    private SharedMemory(int rank, SharedFile file, boolean isCreator) {
        this.rank = rank;
        this.file = file;
        SharedRing first = new SharedRing(file.memory().slice(0, SharedRing.BYTES));
        SharedRing second = new SharedRing(file.memory().slice(SharedRing.BYTES, SharedRing.BYTES));
        this.out = isCreator ? first : second;
        this.in = isCreator ? second : first;
    }

    /**
     * Null if the system has no place for it.
     *
     * @param rank the other node
     */
    static @Nullable SharedMemory create(int rank) {
        SharedFile file = SharedFile.create(BYTES);
        return file == null ? null : new SharedMemory(rank, file, /* isCreator= */ true);
    }

    /** What the other node needs to open it. */
    Share share() {
        return new Share(file.name(), file.token());
    }

    /**
     * Opens what the other node has created. Null if it is not found here.
     *
     * @param rank the other node
     */
    static @Nullable SharedMemory open(int rank, Share share) {
        SharedFile file = SharedFile.open(share.name(), share.token(), BYTES);
        if (file == null) {
            return null;
        }
        file.delete();
        return new SharedMemory(rank, file, /* isCreator= */ false);
    }

    /** As {@link SharedRing#open}, by this node. */
    void open() {
        in.open();
    }

    /** The other node. */
    int rank() {
        return rank;
    }

    /** As {@link SharedRing#offer}, to the other node. */
    boolean offer(ByteBuffer frame) {
        return out.offer(frame);
    }

    /** As {@link SharedRing#rings}, for the other node. */
    boolean rings() {
        return out.rings();
    }

    /** As {@link SharedRing#setPolled}, by this node. */
    void setPolled(boolean polled) {
        in.setPolled(polled);
    }

    /** As {@link SharedRing#answer}, by this node. */
    void answer() {
        in.answer();
    }

    /** Whether the other node has sent nothing that this one has not read. */
    boolean isEmpty() {
        return in.isEmpty();
    }

    /**
     * Tells of what the other node has sent; returns whether there was anything. If another thread does so, this waits until all is told of.
     *
     * @throws org.robber.core.wire.WireException if the memory holds something else
     */
    synchronized boolean read(Consumer<OfMeeting> messages) {
        return in.read(frame -> messages.accept(MeshCodec.decodeFrame(frame)));
    }

    /** Deletes the file, if the other has not. The memory stays for those who have it. */
    void delete() {
        file.delete();
    }
}
