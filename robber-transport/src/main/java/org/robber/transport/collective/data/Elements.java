package org.robber.transport.collective.data;

import static com.google.common.base.Preconditions.checkArgument;

import java.nio.Buffer;
import java.nio.ByteBuffer;
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
public record Elements(ElementType type, long count, boolean readOnly, Storage bytes, Object given) {

    /**
     * The elements of a buffer, an array or a storage.
     *
     * @param name of the argument, for people
     * @throws IllegalArgumentException if it is something else
     */
    public static Elements of(String name, @Nullable Object data) {
        checkArgument(data != null, "%s is null", name);
        if (data instanceof Storage storage) {
            checkArgument(storage.sizeBytes() >= 0, "%s has %s bytes", name, storage.sizeBytes());
            return new Elements(ElementType.BYTE, storage.sizeBytes(), storage.isReadOnly(), storage, data);
        }
        ElementType type = ElementType.of(data);
        checkArgument(
                type != null,
                "%s is %s; it must be a buffer, an array of byte, char, short, int, long, float or double, or a Storage",
                name,
                data.getClass().getTypeName());
        Buffer buffer = data instanceof Buffer given ? given : type.wrap(data);
        Storage bytes =
                buffer instanceof ByteBuffer ofBytes ? Storage.of(ofBytes) : new TypedBufferStorage(buffer, type);
        return new Elements(type, buffer.remaining(), buffer.isReadOnly(), bytes, data);
    }

    /** Fails unless data can be received into this. */
    public Elements checkWritable(String name) {
        checkArgument(!readOnly, "%s: nothing can be received into a read-only buffer", name);
        return this;
    }

    /** All of it. */
    public Region all() {
        return part(0, count);
    }

    /** So many elements from this one on. */
    public Region part(long firstElement, long elements) {
        return new Region(bytes, firstElement * type.bytes(), elements * type.bytes());
    }

    /**
     * Whether both are known to share memory. That is known of arrays, of buffers outside of the heap, and of buffers that tell their array. Others
     * are known to if they are one object, given twice.
     */
    public boolean overlaps(Elements other) {
        if (given == other.given) {
            return true;
        }
        MemoryRange range = MemoryRange.of(given, type);
        return range != null && range.meets(MemoryRange.of(other.given, other.type));
    }

    /** Whether both may share memory that {@link #overlaps} cannot see: a buffer in the heap may hide its array. */
    public boolean mayOverlapUnseen(Elements other) {
        return (hidesItsArray() && !other.isOutsideHeap()) || (other.hidesItsArray() && !isOutsideHeap());
    }

    private boolean hidesItsArray() {
        return given instanceof Buffer && MemoryRange.of(given, type) == null;
    }

    private boolean isOutsideHeap() {
        return given instanceof Buffer buffer && buffer.isDirect();
    }

    /** Fails if this, which is sent, lies in the whole, which is received, but not at this place: what comes would overwrite it. */
    public void checkNotElsewhereIn(Elements whole, long place) {
        if (count > 0 && overlaps(whole)) {
            checkArgument(
                    bytesBehind(whole) == place * type.bytes(),
                    "the part that this node sends lies in the memory to receive, and not at its own place");
        }
    }

    /** Fails if this, which is received, overlaps its place in the whole, which is sent, but is not there: copying would overwrite it. */
    public void checkNotAcross(Elements whole, long place) {
        if (count > 0 && overlaps(whole)) {
            long shiftBytes = bytesBehind(whole) - place * type.bytes();
            checkArgument(
                    shiftBytes == 0 || Math.abs(shiftBytes) >= count * type.bytes(),
                    "the part that this node receives overlaps its place in the memory to send");
        }
    }

    /** Whether both are the same memory, of those that overlap. */
    public boolean isSamePlace(Elements other) {
        return given == other.given || (count == other.count && bytesBehind(other) == 0);
    }

    /** How far behind the beginning of the other this begins, of those that overlap. */
    private long bytesBehind(Elements other) {
        MemoryRange range = MemoryRange.of(given, type);
        MemoryRange others = MemoryRange.of(other.given, other.type);
        return given == other.given || range == null || others == null ? 0 : range.firstByte() - others.firstByte();
    }

    /** Number and type, for people, such as {@code 12 float}. */
    public String describe() {
        return count + " " + type;
    }
}
