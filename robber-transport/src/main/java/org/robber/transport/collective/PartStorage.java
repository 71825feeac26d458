package org.robber.transport.collective;

import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.Storage;

/** The parts of a call that this node has or wants. Padding is read as zeros, and not written. Other parts are neither read nor written. */
final class PartStorage implements Storage {
    private final PartLayout layout;
    private final ImmutableList<Part> parts;

    PartStorage(PartLayout layout, List<Part> parts) {
        this.layout = layout;
        this.parts = ImmutableList.copyOf(parts);
    }

    @Override
    public long sizeBytes() {
        return layout.pieces().totalBytes();
    }

    @Override
    public void read(long offsetBytes, ByteBuffer target) throws IOException {
        int part = layout.partAt(offsetBytes);
        long offset = layout.offsetInPart(offsetBytes, part);
        int data = dataBytes(part, offset, target.remaining());
        if (data > 0) {
            int end = target.limit();
            place(part).read(offset, target.limit(target.position() + data));
            target.limit(end);
        }
        while (target.hasRemaining()) {
            target.put((byte) 0);
        }
    }

    @Override
    public void write(long offsetBytes, ByteBuffer source) throws IOException {
        int part = layout.partAt(offsetBytes);
        long offset = layout.offsetInPart(offsetBytes, part);
        int data = dataBytes(part, offset, source.remaining());
        if (data > 0) {
            place(part).write(offset, source.slice(source.position(), data));
        }
        source.position(source.limit());
    }

    @Override
    public @Nullable ByteBuffer memory(long offsetBytes, int lengthBytes) {
        int part = layout.partAt(offsetBytes);
        long offset = layout.offsetInPart(offsetBytes, part);
        return dataBytes(part, offset, lengthBytes) == lengthBytes ? place(part).memory(offset, lengthBytes) : null;
    }

    /** As many of the bytes as are no padding. */
    private int dataBytes(int part, long offset, int lengthBytes) {
        return (int) Math.max(0, Math.min(lengthBytes, parts.get(part).sizeBytes() - offset));
    }

    private Region place(int part) {
        Region place = parts.get(part).place();
        if (place == null) {
            throw new IllegalStateException("part " + part + " of the data is not here");
        }
        return place;
    }

    /** Does nothing: the memory belongs to the caller. */
    @Override
    public void close() {}
}
