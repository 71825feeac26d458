package org.robber.emulation.testbed.wan;

/** Packets on their way. They leave after the delay, in order also when the delay becomes shorter. */
final class DelayLine {

    private final PacketSlots slots;
    private final PacketFifo fifo;
    private long delayNanos;
    private long lastNanos = Long.MIN_VALUE;

    DelayLine(PacketSlots slots) {
        this.slots = slots;
        this.fifo = new PacketFifo(slots);
    }

    /** Changes the delay of packets that enter from now on. */
    void change(long nanos) {
        delayNanos = nanos;
    }

    long delayNanos() {
        return delayNanos;
    }

    void add(long nowNanos, int slot) {
        lastNanos = Math.max(lastNanos, nowNanos + delayNanos);
        slots.setDueNanos(slot, lastNanos);
        fifo.add(slot);
    }

    /** When the first packet arrives; {@link VirtualClockQueue#NEVER} if there is none. */
    long headNanos() {
        return fifo.isEmpty() ? VirtualClockQueue.NEVER : slots.dueNanos(fifo.head());
    }

    /** Takes the first packet, which there must be. */
    int take() {
        return fifo.remove();
    }
}
