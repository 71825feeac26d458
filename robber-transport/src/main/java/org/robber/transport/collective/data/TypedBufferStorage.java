package org.robber.transport.collective.data;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
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
        ByteBuffer bytes = target.slice().order(ByteOrder.LITTLE_ENDIAN);
        Buffer from = elements.slice(element(offsetBytes), element(target.remaining()));
        switch (type) {
            case BYTE -> bytes.put((ByteBuffer) from);
            case CHAR -> bytes.asCharBuffer().put((CharBuffer) from);
            case SHORT -> bytes.asShortBuffer().put((ShortBuffer) from);
            case INT -> bytes.asIntBuffer().put((IntBuffer) from);
            case LONG -> bytes.asLongBuffer().put((LongBuffer) from);
            case FLOAT -> bytes.asFloatBuffer().put((FloatBuffer) from);
            case DOUBLE -> bytes.asDoubleBuffer().put((DoubleBuffer) from);
        }
        target.position(target.limit());
    }

    @Override
    public void write(long offsetBytes, ByteBuffer source) {
        ByteBuffer bytes = source.slice().order(ByteOrder.LITTLE_ENDIAN);
        Buffer to = elements.slice(element(offsetBytes), element(source.remaining()));
        switch (type) {
            case BYTE -> ((ByteBuffer) to).put(bytes);
            case CHAR -> ((CharBuffer) to).put(bytes.asCharBuffer());
            case SHORT -> ((ShortBuffer) to).put(bytes.asShortBuffer());
            case INT -> ((IntBuffer) to).put(bytes.asIntBuffer());
            case LONG -> ((LongBuffer) to).put(bytes.asLongBuffer());
            case FLOAT -> ((FloatBuffer) to).put(bytes.asFloatBuffer());
            case DOUBLE -> ((DoubleBuffer) to).put(bytes.asDoubleBuffer());
        }
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
