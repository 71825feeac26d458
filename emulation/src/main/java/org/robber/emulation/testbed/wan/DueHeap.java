package org.robber.emulation.testbed.wan;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.Arrays;

/** A binary heap of a fixed number of entries, by the time when each is due; it knows where each entry is. */
final class DueHeap {

    private final long[] nanos;
    private final int[] heap;
    private final int[] position;

    /** All entries are {@link VirtualClockQueue#NEVER} due at first. */
    DueHeap(int entries) {
        checkArgument(entries >= 1, "entries: %s", entries);
        nanos = new long[entries];
        Arrays.fill(nanos, VirtualClockQueue.NEVER);
        heap = new int[entries];
        position = new int[entries];
        for (int i = 0; i < entries; i++) {
            heap[i] = i;
            position[i] = i;
        }
    }

    /** The entry that is due first; among equals, any. */
    int first() {
        return heap[0];
    }

    /** When it is due. */
    long firstNanos() {
        return nanos[heap[0]];
    }

    void set(int entry, long dueNanos) {
        long before = nanos[entry];
        nanos[entry] = dueNanos;
        if (dueNanos < before) {
            rise(entry);
        } else if (dueNanos > before) {
            sink(entry);
        }
    }

    private void rise(int entry) {
        int at = position[entry];
        long due = nanos[entry];
        while (at > 0) {
            int parent = (at - 1) >>> 1;
            if (nanos[heap[parent]] <= due) {
                break;
            }
            put(heap[parent], at);
            at = parent;
        }
        put(entry, at);
    }

    private void sink(int entry) {
        int at = position[entry];
        long due = nanos[entry];
        for (int child = 2 * at + 1; child < heap.length; child = 2 * at + 1) {
            if (child + 1 < heap.length && nanos[heap[child + 1]] < nanos[heap[child]]) {
                child++;
            }
            if (nanos[heap[child]] >= due) {
                break;
            }
            put(heap[child], at);
            at = child;
        }
        put(entry, at);
    }

    private void put(int entry, int at) {
        heap[at] = entry;
        position[entry] = at;
    }
}
