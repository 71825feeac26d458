package org.robber.emulation.testbed.wan;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * A fixed number of places for packets, with the fields of each packet. A place that is taken stands in at most one queue at a
 * time, so its link to the next in the queue is kept here. Queueing needs no memory of its own.
 */
final class PacketSlots {

    /** No place. */
    static final int NONE = -1;

    private final int[] bytes;
    private final int[] packets;
    private final int[] storedBytes;
    private final int[] link;
    private final int[] next;
    private final long[] dueNanos;
    private int firstFree;
    private int free;

    PacketSlots(int count) {
        checkArgument(count >= 1, "count: %s", count);
        bytes = new int[count];
        packets = new int[count];
        storedBytes = new int[count];
        link = new int[count];
        next = new int[count];
        dueNanos = new long[count];
        for (int slot = 0; slot < count; slot++) {
            next[slot] = slot + 1 < count ? slot + 1 : NONE;
        }
        free = count;
    }

    /** The place given back last, as its memory is likely to be in the processor's caches; {@link #NONE} if all are taken. */
    int take() {
        int slot = firstFree;
        if (slot != NONE) {
            firstFree = next[slot];
            next[slot] = NONE;
            free--;
        }
        return slot;
    }

    /** Gives back a place that stands in no queue. */
    void release(int slot) {
        next[slot] = firstFree;
        firstFree = slot;
        free++;
    }

    int free() {
        return free;
    }

    /** Bytes of the packet on a line; a super-packet counts the headers of all its packets. */
    int bytes(int slot) {
        return bytes[slot];
    }

    /** Number of packets on a line: 1, or those of a super-packet. */
    int packets(int slot) {
        return packets[slot];
    }

    /** Its bytes in memory. */
    int storedBytes(int slot) {
        return storedBytes[slot];
    }

    /** Index of the link that the packet takes. */
    int link(int slot) {
        return link[slot];
    }

    /** Says which packet is in a place. */
    void describe(int slot, int lineBytes, int linePackets, int memoryBytes, int linkIndex) {
        bytes[slot] = lineBytes;
        packets[slot] = linePackets;
        storedBytes[slot] = memoryBytes;
        link[slot] = linkIndex;
    }

    /** Says that a packet without anything else is in a place. */
    void describe(int slot, int packetBytes, int linkIndex) {
        describe(slot, packetBytes, 1, packetBytes, linkIndex);
    }

    int next(int slot) {
        return next[slot];
    }

    void setNext(int slot, int following) {
        next[slot] = following;
    }

    long dueNanos(int slot) {
        return dueNanos[slot];
    }

    void setDueNanos(int slot, long nanos) {
        dueNanos[slot] = nanos;
    }
}
