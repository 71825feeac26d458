package org.robber.transport.mesh;

import org.jspecify.annotations.Nullable;
import org.robber.core.meeting.MeshMessage.Share;
import org.robber.transport.memory.SharedFile;

/** Memory of two nodes of one machine, with a {@link SharedRing} for each direction. One creates it; the other deletes the file once it has opened it. */
final class SharedMemory {
    private static final int BYTES = 2 * SharedRing.BYTES;

    private final SharedFile file;
    private final SharedRing out;
    private final SharedRing in;

    private SharedMemory(SharedFile file, boolean isCreator) {
        this.file = file;
        SharedRing first = new SharedRing(file.memory().slice(0, SharedRing.BYTES));
        SharedRing second = new SharedRing(file.memory().slice(SharedRing.BYTES, SharedRing.BYTES));
        this.out = isCreator ? first : second;
        this.in = isCreator ? second : first;
        in.open();
    }

    /** Null if the system has no place for it. */
    static @Nullable SharedMemory create() {
        SharedFile file = SharedFile.create(BYTES);
        return file == null ? null : new SharedMemory(file, /* isCreator= */ true);
    }

    Share share() {
        return new Share(file.name(), file.token());
    }

    /** Opens what the other node has created. Null if it is not found here. */
    static @Nullable SharedMemory open(Share share) {
        SharedFile file = SharedFile.open(share.name(), share.token(), BYTES);
        if (file == null) {
            return null;
        }
        file.delete();
        return new SharedMemory(file, /* isCreator= */ false);
    }

    SharedRing out() {
        return out;
    }

    SharedRing in() {
        return in;
    }

    /** Deletes the file, if the other has not. The memory stays for those who have it. */
    void delete() {
        file.delete();
    }
}
