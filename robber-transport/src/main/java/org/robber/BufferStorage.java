package org.robber;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Data in memory: what remains of buffers, one after the other. Their positions don't matter after construction, and don't change.
 */
final class BufferStorage implements Storage {
    private static final int LARGEST_BUFFER_BYTES = 1 << 30;

    private final ImmutableList<ByteBuffer> buffers;
    /** Where each buffer begins in the data, and at the end the size of the data. */
    private final long[] offsets;

    private final boolean inMemory;

    BufferStorage(List<ByteBuffer> buffers) {
        this.buffers = buffers.stream().map(ByteBuffer::slice).collect(ImmutableList.toImmutableList());
        this.inMemory = this.buffers.stream().allMatch(BufferStorage::isInMemory);
        this.offsets = new long[buffers.size() + 1];
        for (int i = 0; i < buffers.size(); i++) {
            offsets[i + 1] = offsets[i] + buffers.get(i).remaining();
        }
    }

    /** New memory outside of the heap, all zero. */
    static BufferStorage allocateDirect(long sizeBytes) {
        checkArgument(sizeBytes >= 0, "sizeBytes: %s", sizeBytes);
        ImmutableList.Builder<ByteBuffer> buffers = ImmutableList.builder();
        for (long rest = sizeBytes; rest > 0; rest -= LARGEST_BUFFER_BYTES) {
            buffers.add(ByteBuffer.allocateDirect((int) Math.min(rest, LARGEST_BUFFER_BYTES)));
        }
        return new BufferStorage(buffers.build());
    }

    @Override
    public long sizeBytes() {
        return offsets[buffers.size()];
    }

    @Override
    public boolean isInMemory() {
        return inMemory;
    }

    /** Pages of a mapped file may have to be read first. Plain memory outside of the heap counts as loaded. */
    private static boolean isInMemory(ByteBuffer buffer) {
        return !(buffer instanceof MappedByteBuffer mapped) || mapped.isLoaded();
    }

    @Override
    public boolean isReadOnly() {
        return buffers.stream().anyMatch(ByteBuffer::isReadOnly);
    }

    @Override
    public void read(long offsetBytes, ByteBuffer target) {
        Objects.checkFromIndexSize(offsetBytes, target.remaining(), sizeBytes());
        long offset = offsetBytes;
        for (int i = bufferAt(offset); target.hasRemaining(); i++) {
            ByteBuffer buffer = buffers.get(i);
            int position = (int) (offset - offsets[i]);
            int length = Math.min(target.remaining(), buffer.limit() - position);
            target.put(target.position(), buffer, position, length).position(target.position() + length);
            offset += length;
        }
    }

    @Override
    public void write(long offsetBytes, ByteBuffer source) {
        Objects.checkFromIndexSize(offsetBytes, source.remaining(), sizeBytes());
        long offset = offsetBytes;
        for (int i = bufferAt(offset); source.hasRemaining(); i++) {
            ByteBuffer buffer = buffers.get(i);
            int position = (int) (offset - offsets[i]);
            int length = Math.min(source.remaining(), buffer.limit() - position);
            buffer.put(position, source, source.position(), length);
            source.position(source.position() + length);
            offset += length;
        }
    }

    @Override
    public @Nullable ByteBuffer memory(long offsetBytes, int lengthBytes) {
        Objects.checkFromIndexSize(offsetBytes, lengthBytes, sizeBytes());
        int i = bufferAt(offsetBytes);
        if (i == buffers.size() || offsetBytes + lengthBytes > offsets[i + 1]) {
            return null;
        }
        return buffers.get(i).slice((int) (offsetBytes - offsets[i]), lengthBytes);
    }

    /** The buffer with this byte, or the number of buffers if it is behind the last. */
    private int bufferAt(long offsetBytes) {
        int i = 0;
        while (i < buffers.size() && offsets[i + 1] <= offsetBytes) {
            i++;
        }
        return i;
    }

    /** Does nothing: the memory belongs to the caller. */
    @Override
    public void close() {}
}
