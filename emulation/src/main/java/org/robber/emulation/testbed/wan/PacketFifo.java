package org.robber.emulation.testbed.wan;

/** Packets in order of their arrival, chained through {@link PacketSlots}. */
final class PacketFifo {

    private final PacketSlots slots;
    private int head = PacketSlots.NONE;
    private int tail = PacketSlots.NONE;

    PacketFifo(PacketSlots slots) {
        this.slots = slots;
    }

    boolean isEmpty() {
        return head == PacketSlots.NONE;
    }

    /** The first; {@link PacketSlots#NONE} if there is none. */
    int head() {
        return head;
    }

    void add(int slot) {
        slots.setNext(slot, PacketSlots.NONE);
        if (head == PacketSlots.NONE) {
            head = slot;
        } else {
            slots.setNext(tail, slot);
        }
        tail = slot;
    }

    /** Removes the first, which there must be. */
    int remove() {
        int slot = head;
        head = slots.next(slot);
        slots.setNext(slot, PacketSlots.NONE);
        return slot;
    }
}
