package org.robber.transport.collective.data;

import java.lang.reflect.Array;
import java.nio.Buffer;
import org.jspecify.annotations.Nullable;

/**
 * Where the elements of a buffer or an array are.
 *
 * @param memory the array, or {@link #OUTSIDE_HEAP}
 * @param firstByte number of the first byte in the array, or its address
 * @param bytes how many there are
 */
record MemoryRange(Object memory, long firstByte, long bytes) {
    private static final Object OUTSIDE_HEAP = new Object();

    /** The range of a buffer or an array; null if it is not known, or if this is something else. */
    static @Nullable MemoryRange of(Object given, ElementType type) {
        if (given instanceof Buffer buffer) {
            long bytes = (long) buffer.remaining() * type.bytes();
            if (buffer.hasArray()) {
                long first = (long) (buffer.arrayOffset() + buffer.position()) * type.bytes();
                return new MemoryRange(buffer.array(), first, bytes);
            }
            long address = buffer.isDirect() ? BufferAddress.of(buffer) : BufferAddress.UNKNOWN;
            return address == BufferAddress.UNKNOWN
                    ? null
                    : new MemoryRange(OUTSIDE_HEAP, address + (long) buffer.position() * type.bytes(), bytes);
        }
        return given.getClass().isArray()
                ? new MemoryRange(given, 0, (long) Array.getLength(given) * type.bytes())
                : null;
    }

    /** Whether both have bytes in common. */
    boolean meets(@Nullable MemoryRange other) {
        return other != null
                && memory == other.memory
                && firstByte < other.firstByte + other.bytes
                && other.firstByte < firstByte + bytes;
    }
}
