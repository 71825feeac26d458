package org.robber.emulation.testbed.wan;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.List;

/**
 * The wide-area network in virtual time. A packet from cluster A to cluster B first passes the queue of A's access link, which all
 * packets out of A share. Then come the queue, the loss and the delay of the link from A to B. Last comes the queue of B's access
 * link, which all packets into B share. Access links are unlimited and links absent until they are set.
 *
 * <p>It holds no packet, only numbers of {@link PacketSlots}, and knows no clock. Nothing here allocates once it stands.
 */
final class Fabric {

    /** Where packets leave. */
    @FunctionalInterface
    interface Exit {
        /** Hands a packet to a cluster; false if that failed. The place is free afterwards. */
        boolean deliver(int cluster, int slot);
    }

    private final Subnet[] subnets;
    private final PacketSlots slots;
    private final PacketCounters counters;
    private final Exit exit;

    private final VirtualClockQueue[] up;
    private final VirtualClockQueue[] down;
    private final VirtualClockQueue[] link;
    private final DelayLine[] wire;
    private final PacketLoss[] loss;
    private final boolean[] present;

    /** One entry for each of the above, in this order. */
    private final DueHeap agenda;

    private final int firstDown;
    private final int firstLink;
    private final int firstWire;

    Fabric(List<Subnet> subnets, PacketSlots slots, PacketCounters counters, long seed, Exit exit) {
        this.subnets = subnets.toArray(new Subnet[0]);
        this.slots = slots;
        this.counters = counters;
        this.exit = exit;
        int clusters = subnets.size();
        int links = clusters * clusters;
        up = new VirtualClockQueue[clusters];
        down = new VirtualClockQueue[clusters];
        for (int i = 0; i < clusters; i++) {
            up[i] = new VirtualClockQueue(slots);
            down[i] = new VirtualClockQueue(slots);
            up[i].change(0, Double.POSITIVE_INFINITY, 0);
            down[i].change(0, Double.POSITIVE_INFINITY, 0);
        }
        link = new VirtualClockQueue[links];
        wire = new DelayLine[links];
        loss = new PacketLoss[links];
        present = new boolean[links];
        for (int i = 0; i < links; i++) {
            link[i] = new VirtualClockQueue(slots);
            wire[i] = new DelayLine(slots);
            loss[i] = new PacketLoss(seed, i);
        }
        firstDown = clusters;
        firstLink = 2 * clusters;
        firstWire = firstLink + links;
        agenda = new DueHeap(firstWire + links);
    }

    int clusters() {
        return subnets.length;
    }

    /** Index of the link between two clusters, whether there is one or not. */
    int linkIndex(int from, int to) {
        return from * subnets.length + to;
    }

    /** Makes or changes a link. */
    void setLink(long nowNanos, int index, double rate, long delayNanos, double lossShare, long limitBytes) {
        advance(nowNanos);
        checkArgument(delayNanos >= 0, "delay: %s", delayNanos);
        checkArgument(lossShare >= 0 && lossShare < 1, "loss: %s", lossShare);
        link[index].change(nowNanos, rate, limitBytes);
        wire[index].change(delayNanos);
        loss[index].change(lossShare);
        present[index] = true;
        agenda.set(firstLink + index, link[index].headNanos());
    }

    /** Closes a link to new packets; packets on their way arrive. */
    void cutLink(int index) {
        present[index] = false;
    }

    void setUplink(long nowNanos, int cluster, double rate, long limitBytes) {
        advance(nowNanos);
        up[cluster].change(nowNanos, rate, limitBytes);
        agenda.set(cluster, up[cluster].headNanos());
    }

    void setDownlink(long nowNanos, int cluster, double rate, long limitBytes) {
        advance(nowNanos);
        down[cluster].change(nowNanos, rate, limitBytes);
        agenda.set(firstDown + cluster, down[cluster].headNanos());
    }

    /** The shortest delay of any link there is; 0 if there is none. */
    long shortestDelayNanos() {
        long shortest = Long.MAX_VALUE;
        for (int i = 0; i < wire.length; i++) {
            if (present[i]) {
                shortest = Math.min(shortest, wire[i].delayNanos());
            }
        }
        return shortest == Long.MAX_VALUE ? 0 : shortest;
    }

    /** Index of the link that leads from a cluster to an address; -1 if none does. */
    int route(int from, int destination) {
        for (int to = 0; to < subnets.length; to++) {
            if (to != from && subnets[to].contains(destination)) {
                int index = linkIndex(from, to);
                return present[index] ? index : -1;
            }
        }
        return -1;
    }

    /** Takes over a packet, described in its place, that a cluster sends. */
    void send(long nowNanos, int slot) {
        // A served packet must make room first, and its successor must not be served before it came.
        advance(nowNanos);
        int from = slots.link(slot) / subnets.length;
        if (up[from].isTransparent()) {
            enterLink(nowNanos, slot);
        } else {
            offer(up[from], from, nowNanos, slot);
        }
    }

    /** The time of the next event; {@link VirtualClockQueue#NEVER} if no packet is on its way. */
    long nextNanos() {
        return agenda.firstNanos();
    }

    /** Handles all due events. */
    void advance(long nowNanos) {
        for (long due = agenda.firstNanos();
                due <= nowNanos && due != VirtualClockQueue.NEVER;
                due = agenda.firstNanos()) {
            happen(agenda.first(), due);
        }
    }

    private void happen(int entry, long dueNanos) {
        if (entry >= firstWire) {
            DelayLine line = wire[entry - firstWire];
            int slot = line.take();
            agenda.set(entry, line.headNanos());
            enterCluster(dueNanos, slot);
            return;
        }
        VirtualClockQueue queue =
                entry >= firstLink ? link[entry - firstLink] : entry >= firstDown ? down[entry - firstDown] : up[entry];
        int slot = queue.take();
        agenda.set(entry, queue.headNanos());
        if (entry >= firstLink) {
            enterWire(dueNanos, slot);
        } else if (entry >= firstDown) {
            leave(slot);
        } else {
            enterLink(dueNanos, slot);
        }
    }

    private void enterLink(long nowNanos, int slot) {
        int index = slots.link(slot);
        offer(link[index], firstLink + index, nowNanos, slot);
    }

    private void enterWire(long nowNanos, int slot) {
        int index = slots.link(slot);
        if (loss[index].strikes()) {
            counters.lostPackets[index] += slots.packets(slot);
            slots.release(slot);
            return;
        }
        wire[index].add(nowNanos, slot);
        agenda.set(firstWire + index, wire[index].headNanos());
    }

    private void enterCluster(long nowNanos, int slot) {
        int to = slots.link(slot) % subnets.length;
        if (down[to].isTransparent()) {
            leave(slot);
        } else {
            offer(down[to], firstDown + to, nowNanos, slot);
        }
    }

    private void leave(int slot) {
        int index = slots.link(slot);
        if (exit.deliver(index % subnets.length, slot)) {
            counters.deliveredBytes[index] += slots.bytes(slot);
            counters.deliveredPackets[index] += slots.packets(slot);
        } else {
            counters.refuse(DropReason.UNDELIVERABLE);
        }
        slots.release(slot);
    }

    private void offer(VirtualClockQueue queue, int entry, long nowNanos, int slot) {
        if (queue.offer(nowNanos, slot)) {
            agenda.set(entry, queue.headNanos());
        } else {
            counters.droppedPackets[slots.link(slot)] += slots.packets(slot);
            slots.release(slot);
        }
    }
}
