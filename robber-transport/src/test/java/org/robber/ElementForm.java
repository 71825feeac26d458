package org.robber;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.Arrays;
import java.util.List;
import org.robber.core.random.SeededRandom;

/**
 * A way in which a program holds elements. Tests see elements as an image: their bytes in the machine's own order.
 *
 * @param type of the elements
 * @param holder what they are in
 */
record ElementForm(Type type, Holder holder) {
    /** Elements around those that a buffer gives to a call, which nobody may change. */
    private static final int GUARDS = 3;

    /** Types of elements. */
    enum Type {
        BYTE(byte.class, Byte.BYTES),
        CHAR(char.class, Character.BYTES),
        SHORT(short.class, Short.BYTES),
        INT(int.class, Integer.BYTES),
        LONG(long.class, Long.BYTES),
        FLOAT(float.class, Float.BYTES),
        DOUBLE(double.class, Double.BYTES);

        private final Class<?> primitive;
        private final int bytes;

        Type(Class<?> primitive, int bytes) {
            this.primitive = primitive;
            this.bytes = bytes;
        }

        int bytes() {
            return bytes;
        }

        /** These bytes as elements. */
        Buffer view(ByteBuffer data) {
            return switch (this) {
                case BYTE -> data.slice();
                case CHAR -> data.asCharBuffer();
                case SHORT -> data.asShortBuffer();
                case INT -> data.asIntBuffer();
                case LONG -> data.asLongBuffer();
                case FLOAT -> data.asFloatBuffer();
                case DOUBLE -> data.asDoubleBuffer();
            };
        }

        private Buffer wrap(Object array) {
            return switch (this) {
                case BYTE -> ByteBuffer.wrap((byte[]) array);
                case CHAR -> CharBuffer.wrap((char[]) array);
                case SHORT -> ShortBuffer.wrap((short[]) array);
                case INT -> IntBuffer.wrap((int[]) array);
                case LONG -> LongBuffer.wrap((long[]) array);
                case FLOAT -> FloatBuffer.wrap((float[]) array);
                case DOUBLE -> DoubleBuffer.wrap((double[]) array);
            };
        }

        private void copy(Buffer target, Buffer source) {
            switch (this) {
                case BYTE -> ((ByteBuffer) target).put((ByteBuffer) source);
                case CHAR -> ((CharBuffer) target).put((CharBuffer) source);
                case SHORT -> ((ShortBuffer) target).put((ShortBuffer) source);
                case INT -> ((IntBuffer) target).put((IntBuffer) source);
                case LONG -> ((LongBuffer) target).put((LongBuffer) source);
                case FLOAT -> ((FloatBuffer) target).put((FloatBuffer) source);
                case DOUBLE -> ((DoubleBuffer) target).put((DoubleBuffer) source);
            }
        }
    }

    /** What elements are in. */
    enum Holder {
        ARRAY,
        HEAP_BUFFER,
        DIRECT_BUFFER,
        BIG_ENDIAN_BUFFER,
        /** For bytes only; not in memory, as far as anyone can see. */
        STORAGE
    }

    /** A form of one of these types. */
    static ElementForm draw(SeededRandom random, List<Type> types) {
        Type type = types.get(random.nextInt(types.size()));
        int holders = type == Type.BYTE ? Holder.values().length : Holder.values().length - 1;
        return new ElementForm(type, Holder.values()[random.nextInt(holders)]);
    }

    static ByteBuffer ofImage(byte[] image) {
        return ByteBuffer.wrap(image).order(ByteOrder.nativeOrder());
    }

    /** The elements of an image, as a program would give them to a call. */
    Object hold(byte[] image) {
        Buffer elements = type.view(ofImage(image));
        int count = elements.remaining();
        if (holder == Holder.STORAGE) {
            return new HeldStorage(image.clone());
        }
        if (holder == Holder.ARRAY) {
            Object array = Array.newInstance(type.primitive, count);
            type.copy(type.wrap(array), elements);
            return array;
        }
        int bytes = (count + 2 * GUARDS) * type.bytes;
        ByteBuffer memory =
                holder == Holder.DIRECT_BUFFER ? ByteBuffer.allocateDirect(bytes) : ByteBuffer.allocate(bytes);
        Buffer buffer = type.view(
                memory.order(holder == Holder.BIG_ENDIAN_BUFFER ? ByteOrder.BIG_ENDIAN : ByteOrder.nativeOrder()));
        buffer.position(GUARDS).limit(GUARDS + count);
        type.copy(buffer.duplicate(), elements);
        return buffer;
    }

    /** The image of what {@link #hold} gave. */
    byte[] image(Object data) {
        if (data instanceof HeldStorage storage) {
            return storage.bytes.clone();
        }
        if (!(data instanceof Buffer buffer)) {
            return image(type.wrap(data), 0, Array.getLength(data));
        }
        assertThat(buffer.position()).as("position").isEqualTo(GUARDS);
        byte[] before = image(buffer, 0, GUARDS);
        byte[] after = image(buffer, buffer.limit(), buffer.capacity());
        assertThat(Arrays.equals(before, after) && Arrays.equals(before, new byte[before.length]))
                .as("bytes before and after those of the call are what they were")
                .isTrue();
        return image(buffer, buffer.position(), buffer.limit());
    }

    private byte[] image(Buffer buffer, int first, int end) {
        byte[] image = new byte[(end - first) * type.bytes];
        // A byte buffer's views would have the order of a new one.
        Buffer elements = buffer.duplicate().clear().position(first).limit(end);
        type.copy(type.view(ofImage(image)), elements);
        return image;
    }

    /** Bytes that are read and written only by calls of methods. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record HeldStorage(byte[] bytes) implements Storage {
        @Override
        public long sizeBytes() {
            return bytes.length;
        }

        @Override
        public void read(long offsetBytes, ByteBuffer target) {
            target.put(bytes, (int) offsetBytes, target.remaining());
        }

        @Override
        public void write(long offsetBytes, ByteBuffer source) {
            source.get(bytes, (int) offsetBytes, source.remaining());
        }

        @Override
        public void close() {}
    }
}
