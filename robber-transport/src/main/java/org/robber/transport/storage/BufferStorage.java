package org.robber.transport.storage;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.Storage;

/**
 * Data in memory: what remains of one buffer or, beyond 2 GiB, of several, one after the other. Heap or direct; a read-only
 * buffer can be sent from. The buffers' own positions don't matter after construction, and don't change.
 */
public final class BufferStorage implements Storage {
    private static final int LARGEST_BUFFER_BYTES = 1 << 30;

    private final ImmutableList<ByteBuffer> buffers;
    /** Where each buffer begins in the data, and at the end the size of the data. */
    private final long[] offsets;

    private BufferStorage(List<ByteBuffer> buffers) {
        this.buffers = buffers.stream().map(ByteBuffer::slice).collect(ImmutableList.toImmutableList());
        this.offsets = new long[buffers.size() + 1];
        for (int i = 0; i < buffers.size(); i++) {
            offsets[i + 1] = offsets[i] + buffers.get(i).remaining();
        }
    }

    /** What remains of the buffer. */
    public static BufferStorage of(ByteBuffer buffer) {
        return new BufferStorage(List.of(buffer));
    }

    /** What remains of the buffers, one after the other. */
    public static BufferStorage of(List<ByteBuffer> buffers) {
        return new BufferStorage(buffers);
    }

    /** New memory outside of the heap, all zero. */
    public static BufferStorage allocateDirect(long sizeBytes) {
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
    public void read(long offsetBytes, ByteBuffer target) {
        Ranges.check(offsetBytes, target, sizeBytes());
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
        Ranges.check(offsetBytes, source, sizeBytes());
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
        checkArgument(
                offsetBytes >= 0 && lengthBytes >= 0 && offsetBytes <= sizeBytes() - lengthBytes,
                "%s bytes at %s of %s",
                lengthBytes,
                offsetBytes,
                sizeBytes());
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
