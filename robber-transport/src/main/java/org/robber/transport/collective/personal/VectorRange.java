package org.robber.transport.collective.personal;

import com.google.common.primitives.Ints;
import org.robber.transport.collective.data.PartLayout;

/**
 * Bytes of a vector, or of a part, that are in a row.
 *
 * @param from the first
 * @param to the end
 */
record VectorRange(long from, long to) {
    static final VectorRange EMPTY = new VectorRange(0, 0);

    static VectorRange of(long from, long bytes) {
        return bytes == 0 ? EMPTY : new VectorRange(from, from + bytes);
    }

    int size() {
        return Ints.checkedCast(to - from);
    }

    /** One of so many equal slices. */
    VectorRange slice(int slice, int count) {
        long sliceBytes = PartLayout.sliceBytes(to - from, count);
        long first = Math.min(to, from + slice * sliceBytes);
        return of(first, Math.min(to, first + sliceBytes) - first);
    }

    /** The bytes in both. */
    VectorRange common(VectorRange other) {
        long first = Math.max(from, other.from);
        return of(first, Math.max(0, Math.min(to, other.to) - first));
    }

    /** From the first byte of either to the last. */
    VectorRange span(VectorRange other) {
        if (size() == 0 || other.size() == 0) {
            return size() == 0 ? other : this;
        }
        return new VectorRange(Math.min(from, other.from), Math.max(to, other.to));
    }
}
