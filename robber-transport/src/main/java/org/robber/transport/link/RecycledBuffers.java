package org.robber.transport.link;

import com.google.common.annotations.VisibleForTesting;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Direct buffers for pieces, kept from transfer to transfer. Netty's pool returns memory to the system as soon as a transfer is over, and
 * new memory costs a page fault for each page. Thread-safe.
 */
final class RecycledBuffers {
    /** A process without transfers holds no more than that. */
    static final int MOST_KEPT_BYTES = 64 << 20;

    private static final RecycledBuffers OF_PROCESS = new RecycledBuffers();

    /** By size; the size that was given back last is the last. */
    private final Map<Integer, ArrayDeque<ByteBuf>> kept = new LinkedHashMap<>();

    private long keptBytes;

    RecycledBuffers() {}

    /** Those of all transfers of this process. */
    static RecycledBuffers ofProcess() {
        return OF_PROCESS;
    }

    /** An empty buffer of this capacity, whose bytes may have any value. To be given back once. */
    ByteBuf take(int bytes) {
        synchronized (this) {
            ArrayDeque<ByteBuf> ofSize = kept.get(bytes);
            if (ofSize != null && !ofSize.isEmpty()) {
                keptBytes -= bytes;
                return ofSize.removeLast().clear();
            }
        }
        return PooledByteBufAllocator.DEFAULT.directBuffer(bytes, bytes);
    }

    /** Nobody uses the buffer any more. It is kept if there is room, rather than those of other sizes. */
    synchronized void giveBack(ByteBuf buffer) {
        int bytes = buffer.capacity();
        ArrayDeque<ByteBuf> ofSize = kept.remove(bytes);
        freeUntil(MOST_KEPT_BYTES - bytes);
        if (keptBytes + bytes <= MOST_KEPT_BYTES) {
            ofSize = ofSize == null ? new ArrayDeque<>() : ofSize;
            ofSize.add(buffer);
            keptBytes += bytes;
        } else {
            buffer.release();
        }
        if (ofSize != null) {
            kept.put(bytes, ofSize);
        }
    }

    @VisibleForTesting
    synchronized void freeAll() {
        freeUntil(0);
    }

    private void freeUntil(long mostBytes) {
        for (Iterator<ArrayDeque<ByteBuf>> oldest = kept.values().iterator();
                keptBytes > mostBytes && oldest.hasNext(); ) {
            ArrayDeque<ByteBuf> ofSize = oldest.next();
            while (keptBytes > mostBytes && !ofSize.isEmpty()) {
                ByteBuf freed = ofSize.removeLast();
                keptBytes -= freed.capacity();
                freed.release();
            }
            if (ofSize.isEmpty()) {
                oldest.remove();
            }
        }
    }
}
