package org.robber.transport.collective.data;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.Buffer;
import org.jspecify.annotations.Nullable;

/** The address of a buffer outside of the heap. Java tells it from version 22 on; before, the field of the buffer has it. */
final class BufferAddress {
    /** No buffer is there. */
    static final long UNKNOWN = 0;

    /** Takes a {@link Buffer} at position 0 and returns its address; null if this Java offers no way. */
    private static final @Nullable MethodHandle ADDRESS = find();

    private BufferAddress() {}

    /** The address of the element at position 0, or {@link #UNKNOWN}. */
    static long of(Buffer direct) {
        if (ADDRESS == null) {
            return UNKNOWN;
        }
        try {
            return (long) ADDRESS.invokeExact(direct.duplicate().clear());
        } catch (Throwable e) {
            throw new IllegalStateException("the address of " + direct, e);
        }
    }

    private static @Nullable MethodHandle find() {
        try {
            return Runtime.version().feature() >= 22 ? ofSegment() : ofField();
        } catch (ReflectiveOperationException | RuntimeException e) {
            return null;
        }
    }

    /** {@code MemorySegment.ofBuffer(buffer).address()}. */
    private static MethodHandle ofSegment() throws ReflectiveOperationException {
        Class<?> segment = Class.forName("java.lang.foreign.MemorySegment");
        Lookup lookup = MethodHandles.publicLookup();
        return MethodHandles.filterReturnValue(
                lookup.findStatic(segment, "ofBuffer", MethodType.methodType(segment, Buffer.class)),
                lookup.findVirtual(segment, "address", MethodType.methodType(long.class)));
    }

    /** {@code unsafe.getLong(buffer, offset of Buffer.address)}. */
    private static MethodHandle ofField() throws ReflectiveOperationException {
        Class<?> type = Class.forName("sun.misc.Unsafe");
        Field instance = type.getDeclaredField("theUnsafe");
        instance.setAccessible(true);
        Object unsafe = instance.get(null);
        Object offset = type.getMethod("objectFieldOffset", Field.class)
                .invoke(unsafe, Buffer.class.getDeclaredField("address"));
        MethodHandle read = MethodHandles.publicLookup()
                .findVirtual(type, "getLong", MethodType.methodType(long.class, Object.class, long.class))
                .bindTo(unsafe);
        return MethodHandles.insertArguments(read, 1, offset).asType(MethodType.methodType(long.class, Buffer.class));
    }
}
