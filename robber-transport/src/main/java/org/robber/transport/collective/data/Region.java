package org.robber.transport.collective.data;

import com.google.common.primitives.Ints;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException.Reason;
import org.robber.Storage;
import org.robber.transport.storage.UserStorage;

/**
 * A range of a user's data.
 *
 * @param bytes all of the data
 * @param offsetBytes where the range begins
 * @param sizeBytes its size
 */
public record Region(Storage bytes, long offsetBytes, long sizeBytes) {
    private static final int COPY_BYTES = 1 << 20;

    /** Whether access does not block. */
    public boolean isInMemory() {
        return sizeBytes == 0 || bytes.isInMemory();
    }

    /** So many bytes of the region from this one on. */
    public Region part(long fromBytes, long partBytes) {
        return new Region(bytes, offsetBytes + fromBytes, partBytes);
    }

    /** Fills the target with the bytes from this place of the region on. */
    public void read(long fromBytes, ByteBuffer target) throws IOException {
        UserStorage.read(bytes, offsetBytes + fromBytes, target);
    }

    /** Writes what remains of the source to this place of the region. */
    public void write(long toBytes, ByteBuffer source) throws IOException {
        UserStorage.write(bytes, offsetBytes + toBytes, source);
    }

    /** As {@link Storage#memory}. */
    @Nullable
    public ByteBuffer memory(long fromBytes, int lengthBytes) {
        return bytes.memory(offsetBytes + fromBytes, lengthBytes);
    }

    /** The region, which has at most 2 GiB: its own memory if it is one, else a copy. */
    public ByteBuffer toBuffer() {
        ByteBuffer own = memory(0, Ints.checkedCast(sizeBytes));
        if (own != null) {
            return own;
        }
        ByteBuffer copy = ByteBuffer.allocate((int) sizeBytes);
        appendTo(copy);
        return copy.flip();
    }

    /** Appends the region, which must fit, to the target. */
    public void appendTo(ByteBuffer target) {
        try {
            ByteBuffer place = target.slice(target.position(), (int) sizeBytes);
            read(0, place);
            target.position(target.position() + (int) sizeBytes);
        } catch (IOException e) {
            throw new StorageFailure(Reason.SOURCE, e);
        }
    }

    /** Fills the region with bytes of the source from this position on. */
    public void fill(ByteBuffer source, int position) {
        try {
            write(0, source.slice(position, (int) sizeBytes));
        } catch (IOException e) {
            throw new StorageFailure(Reason.DESTINATION, e);
        }
    }

    /** Copies a region of the same size to this one. */
    void copyFrom(Region other) {
        if (other.bytes == bytes && other.offsetBytes == offsetBytes) {
            return;
        }
        ByteBuffer copied = ByteBuffer.allocate((int) Math.min(COPY_BYTES, sizeBytes));
        for (long at = 0; at < sizeBytes; at += copied.capacity()) {
            copied.clear().limit((int) Math.min(copied.capacity(), sizeBytes - at));
            try {
                other.read(at, copied);
            } catch (IOException e) {
                throw new StorageFailure(Reason.SOURCE, e);
            }
            try {
                write(at, copied.flip());
            } catch (IOException e) {
                throw new StorageFailure(Reason.DESTINATION, e);
            }
        }
    }
}
