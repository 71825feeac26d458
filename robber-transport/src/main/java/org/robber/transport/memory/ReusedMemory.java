package org.robber.transport.memory;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;

/**
 * Buffers that are kept for the next user, by their size: new memory costs a page fault for each page. Thread-safe.
 *
 * @param <B> the buffers
 */
public final class ReusedMemory<B> {
    private final long mostKeptBytes;
    private final IntFunction<B> make;
    private final ToIntFunction<B> capacity;
    private final Consumer<B> free;

    /** By size; the size that was given back last is the last. */
    private final Map<Integer, ArrayDeque<B>> kept = new LinkedHashMap<>();

    private long keptBytes;

    /**
     * Nothing is kept yet.
     *
     * @param mostKeptBytes the most memory that is kept while nobody uses it
     * @param make makes a buffer of a capacity in bytes
     * @param capacity of a buffer, in bytes
     * @param free frees a buffer that is not kept
     */
    public ReusedMemory(long mostKeptBytes, IntFunction<B> make, ToIntFunction<B> capacity, Consumer<B> free) {
        this.mostKeptBytes = mostKeptBytes;
        this.make = make;
        this.capacity = capacity;
        this.free = free;
    }

    /** A buffer of this capacity, in any state. To be given back once. A new one takes the place of kept ones of other sizes. */
    public B take(int bytes) {
        synchronized (this) {
            ArrayDeque<B> ofSize = kept.get(bytes);
            if (ofSize != null && !ofSize.isEmpty()) {
                keptBytes -= bytes;
                return ofSize.removeLast();
            }
            freeUntil(keptBytes - bytes);
        }
        return make.apply(bytes);
    }

    /** Nobody uses the buffer any more. It is kept if there is room, rather than those of other sizes. */
    public synchronized void giveBack(B buffer) {
        int bytes = capacity.applyAsInt(buffer);
        ArrayDeque<B> ofSize = kept.remove(bytes);
        freeUntil(mostKeptBytes - bytes);
        if (keptBytes + bytes <= mostKeptBytes) {
            ofSize = ofSize == null ? new ArrayDeque<>() : ofSize;
            ofSize.add(buffer);
            keptBytes += bytes;
        } else {
            free.accept(buffer);
        }
        if (ofSize != null) {
            kept.put(bytes, ofSize);
        }
    }

    /** Frees all that nobody uses. */
    public synchronized void freeAll() {
        freeUntil(0);
    }

    private void freeUntil(long mostBytes) {
        for (Iterator<ArrayDeque<B>> oldest = kept.values().iterator(); keptBytes > mostBytes && oldest.hasNext(); ) {
            ArrayDeque<B> ofSize = oldest.next();
            while (keptBytes > mostBytes && !ofSize.isEmpty()) {
                B freed = ofSize.removeLast();
                keptBytes -= capacity.applyAsInt(freed);
                free.accept(freed);
            }
            if (ofSize.isEmpty()) {
                oldest.remove();
            }
        }
    }
}
