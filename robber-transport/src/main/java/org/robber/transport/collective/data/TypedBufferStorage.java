package org.robber.transport.collective.data;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import org.robber.Storage;

/**
 * What remains of a buffer of numbers, as bytes of little-endian order. Positions and lengths are multiples of the size of an element. The memory of such
 * buffers cannot be had as bytes, so all access copies.
 */
final class TypedBufferStorage implements Storage {
    private final Buffer elements;
    private final ElementType type;

    /** @param elements of the given type; its position is not changed */
    TypedBufferStorage(Buffer elements, ElementType type) {
        this.elements = elements.slice();
        this.type = type;
    }

    @Override
    public long sizeBytes() {
        return (long) elements.remaining() * type.bytes();
    }

    @Override
    public boolean isInMemory() {
        return true;
    }

    @Override
    public void read(long offsetBytes, ByteBuffer target) {
        type.toBytes(elements.slice(element(offsetBytes), element(target.remaining())), target);
        target.position(target.limit());
    }

    @Override
    public void write(long offsetBytes, ByteBuffer source) {
        type.fromBytes(source, elements.slice(element(offsetBytes), element(source.remaining())));
        source.position(source.limit());
    }

    private int element(long bytes) {
        if (bytes % type.bytes() != 0) {
            throw new IllegalArgumentException(bytes + " bytes are no multiple of " + type.bytes());
        }
        return (int) (bytes / type.bytes());
    }

    /** Does nothing: the memory belongs to the caller. */
    @Override
    public void close() {}
}
