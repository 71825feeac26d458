package org.robber.transport.collective;

import static com.google.common.base.Preconditions.checkArgument;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import org.jspecify.annotations.Nullable;
import org.robber.Storage;

/**
 * The data that a user has given to a call.
 *
 * @param type of the elements
 * @param count how many elements there are
 * @param readOnly whether nothing can be received into them
 * @param bytes the elements as bytes of little-endian order
 * @param given what the user has given
 */
record Elements(ElementType type, long count, boolean readOnly, Storage bytes, Object given) {

    /**
     * The elements of a buffer, an array or a storage.
     *
     * @param name of the argument, for people
     * @throws IllegalArgumentException if it is something else
     */
    static Elements of(String name, @Nullable Object data) {
        checkArgument(data != null, "%s is null", name);
        if (data instanceof Storage storage) {
            return new Elements(ElementType.BYTE, storage.sizeBytes(), false, storage, data);
        }
        Buffer buffer = data instanceof Buffer given ? given : wrap(data);
        checkArgument(
                buffer != null,
                "%s is %s; it must be a buffer, an array of byte, char, short, int, long, float or double, or a Storage",
                name,
                data.getClass().getTypeName());
        ElementType type = type(buffer);
        Storage bytes =
                buffer instanceof ByteBuffer ofBytes ? Storage.of(ofBytes) : new TypedBufferStorage(buffer, type);
        return new Elements(type, buffer.remaining(), buffer.isReadOnly(), bytes, data);
    }

    private static @Nullable Buffer wrap(Object data) {
        if (data instanceof byte[] array) {
            return ByteBuffer.wrap(array);
        } else if (data instanceof char[] array) {
            return CharBuffer.wrap(array);
        } else if (data instanceof short[] array) {
            return ShortBuffer.wrap(array);
        } else if (data instanceof int[] array) {
            return IntBuffer.wrap(array);
        } else if (data instanceof long[] array) {
            return LongBuffer.wrap(array);
        } else if (data instanceof float[] array) {
            return FloatBuffer.wrap(array);
        } else if (data instanceof double[] array) {
            return DoubleBuffer.wrap(array);
        }
        return null;
    }

    private static ElementType type(Buffer buffer) {
        if (buffer instanceof ByteBuffer) {
            return ElementType.BYTE;
        } else if (buffer instanceof CharBuffer) {
            return ElementType.CHAR;
        } else if (buffer instanceof ShortBuffer) {
            return ElementType.SHORT;
        } else if (buffer instanceof IntBuffer) {
            return ElementType.INT;
        } else if (buffer instanceof LongBuffer) {
            return ElementType.LONG;
        }
        return buffer instanceof FloatBuffer ? ElementType.FLOAT : ElementType.DOUBLE;
    }

    /** Fails unless data can be received into this. */
    Elements checkWritable(String name) {
        checkArgument(!readOnly, "%s: nothing can be received into a read-only buffer", name);
        return this;
    }

    /** All of it. */
    Region all() {
        return part(0, count);
    }

    /** So many elements from this one on. */
    Region part(long firstElement, long elements) {
        return new Region(bytes, firstElement * type.bytes(), elements * type.bytes());
    }

    /**
     * Whether both are known to share memory; of memory outside of the heap, and of buffers of numbers that cannot be written, that is known only of
     * one object given twice.
     */
    boolean overlaps(Elements other) {
        return given == other.given || (heapArray() != null && heapArray() == other.heapArray() && rangesMeet(other));
    }

    /** Fails if this, which is sent, lies in the whole, which is received, but not at this place: what comes would overwrite it. */
    void checkNotElsewhereIn(Elements whole, long place) {
        if (count > 0 && overlaps(whole)) {
            boolean inPlace = given == whole.given ? place == 0 : firstInArray() == whole.firstInArray() + place;
            checkArgument(
                    inPlace, "the part that this node sends lies in the memory to receive, and not at its own place");
        }
    }

    /** Whether both are the same memory, of those that overlap. */
    boolean isSamePlace(Elements other) {
        return given == other.given || (count == other.count && firstInArray() == other.firstInArray());
    }

    private @Nullable Object heapArray() {
        if (given instanceof Buffer buffer) {
            return buffer.hasArray() ? buffer.array() : null;
        }
        return given instanceof Storage ? null : given;
    }

    private long firstInArray() {
        return given instanceof Buffer buffer ? buffer.arrayOffset() + buffer.position() : 0;
    }

    private boolean rangesMeet(Elements other) {
        return firstInArray() < other.firstInArray() + other.count && other.firstInArray() < firstInArray() + count;
    }

    /** Number and type, for people, such as {@code 12 float}. */
    String describe() {
        return count + " " + type;
    }
}
