package org.robber.transport.job;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.robber.Storage;

/**
 * The parts of a collective call that this node has or wants, each in a buffer. Padding is read as zeros, and not written. Other parts
 * are neither read nor written.
 */
final class PartStorage implements Storage {
    private final PartLayout layout;
    private final @Nullable ByteBuffer[] parts;

    /** Nothing is here. */
    PartStorage(PartLayout layout) {
        this.layout = layout;
        this.parts = new @Nullable ByteBuffer[layout.parts()];
    }

    /** All parts are in this buffer, by their number. */
    static PartStorage of(PartLayout layout, ByteBuffer all) {
        PartStorage storage = new PartStorage(layout);
        for (int part = 0; part < layout.parts(); part++) {
            storage.place(part, all, all.position() + part * layout.partBytes());
        }
        return storage;
    }

    /** Puts a part of the data in the place of these bytes of the buffer. */
    void place(int part, ByteBuffer buffer, int offsetBytes) {
        parts[part] = buffer.slice(offsetBytes, layout.partBytes());
    }

    @Override
    public long sizeBytes() {
        return layout.parts() * layout.paddedBytes();
    }

    @Override
    public void read(long offsetBytes, ByteBuffer target) {
        ByteBuffer bytes = data(offsetBytes, target.remaining());
        target.put(bytes);
        while (target.hasRemaining()) {
            target.put((byte) 0);
        }
    }

    @Override
    public void write(long offsetBytes, ByteBuffer source) {
        ByteBuffer place = data(offsetBytes, source.remaining());
        place.put(0, source, source.position(), place.remaining());
        source.position(source.limit());
    }

    @Override
    public @Nullable ByteBuffer memory(long offsetBytes, int lengthBytes) {
        ByteBuffer bytes = data(offsetBytes, lengthBytes);
        return bytes.remaining() == lengthBytes ? bytes : null;
    }

    /** As many of the bytes as are no padding. */
    private ByteBuffer data(long offsetBytes, int lengthBytes) {
        int part = (int) (offsetBytes / layout.paddedBytes());
        int offset = (int) (offsetBytes % layout.paddedBytes());
        ByteBuffer bytes = parts[part];
        if (bytes == null) {
            throw new IllegalStateException("part " + part + " of the data is not here");
        }
        int length = Math.max(0, Math.min(lengthBytes, layout.partBytes() - offset));
        return bytes.slice(length == 0 ? 0 : offset, length);
    }

    /** Does nothing: the memory belongs to the caller. */
    @Override
    public void close() {}
}
