package org.robber.transport.collective.data;

import java.lang.reflect.Array;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.Locale;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The type of the elements of a user's data: elements in buffers and arrays, and as bytes of little-endian order. */
@SuppressWarnings("ImmutableEnumChecker") // the functions have no state
public enum ElementType {
    BYTE(0, 1, byte[].class, ByteBuffer.class, ByteBuffer::wrap, bytes -> bytes, ByteBuffer::put),
    CHAR(1, 2, char[].class, CharBuffer.class, CharBuffer::wrap, ByteBuffer::asCharBuffer, CharBuffer::put),
    SHORT(2, 2, short[].class, ShortBuffer.class, ShortBuffer::wrap, ByteBuffer::asShortBuffer, ShortBuffer::put),
    INT(3, 4, int[].class, IntBuffer.class, IntBuffer::wrap, ByteBuffer::asIntBuffer, IntBuffer::put),
    LONG(4, 8, long[].class, LongBuffer.class, LongBuffer::wrap, ByteBuffer::asLongBuffer, LongBuffer::put),
    FLOAT(5, 4, float[].class, FloatBuffer.class, FloatBuffer::wrap, ByteBuffer::asFloatBuffer, FloatBuffer::put),
    DOUBLE(6, 8, double[].class, DoubleBuffer.class, DoubleBuffer::wrap, ByteBuffer::asDoubleBuffer, DoubleBuffer::put);

    private final byte code;
    private final int bytes;
    private final Class<?> arrays;
    private final Class<?> buffers;
    private final Function<Object, Buffer> wrap;
    private final Function<ByteBuffer, ? extends Buffer> view;
    private final BinaryOperator<Buffer> put;

    /**
     * @param view of bytes as elements, in the order of the bytes
     * @param put copies all from the second buffer to the first
     */
    <A, B extends Buffer> ElementType(
            int code,
            int bytes,
            Class<A> arrays,
            Class<B> buffers,
            Function<A, B> wrap,
            Function<ByteBuffer, B> view,
            BinaryOperator<B> put) {
        this.code = (byte) code;
        this.bytes = bytes;
        this.arrays = arrays;
        this.buffers = buffers;
        this.wrap = array -> wrap.apply(arrays.cast(array));
        this.view = view;
        this.put = (to, from) -> put.apply(buffers.cast(to), buffers.cast(from));
    }

    /** The number of the type in messages. */
    public byte code() {
        return code;
    }

    /** The type of this number. */
    public static ElementType ofCode(byte code) {
        for (ElementType type : values()) {
            if (type.code == code) {
                return type;
            }
        }
        throw new IllegalArgumentException("no type of elements has the number " + code);
    }

    /** The type of what a buffer or an array holds; null if this is something else. */
    static @Nullable ElementType of(Object given) {
        for (ElementType type : values()) {
            if (type.buffers.isInstance(given) || type.arrays.isInstance(given)) {
                return type;
            }
        }
        return null;
    }

    /** Size of an element. */
    public int bytes() {
        return bytes;
    }

    /** A buffer over an array of such elements. */
    Buffer wrap(Object array) {
        return wrap.apply(array);
    }

    /** A buffer over a new array. */
    public Buffer allocate(int count) {
        return wrap(Array.newInstance(arrays.getComponentType(), count));
    }

    /** Copies bytes to as many elements, from the position of the elements on, which moves; that of the bytes does not. */
    public void fromBytes(ByteBuffer from, Buffer elements) {
        Buffer unused = put.apply(elements, elementsOf(from));
    }

    /** Copies all elements to bytes, from the position of the bytes on, which does not move. */
    public void toBytes(Buffer elements, ByteBuffer to) {
        Buffer unused = put.apply(elementsOf(to), elements);
    }

    private Buffer elementsOf(ByteBuffer littleEndian) {
        return view.apply(littleEndian.slice().order(ByteOrder.LITTLE_ENDIAN));
    }

    /** The name of the type in Java. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
