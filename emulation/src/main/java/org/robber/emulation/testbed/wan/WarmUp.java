package org.robber.emulation.testbed.wan;

import com.google.common.collect.ImmutableList;
import java.nio.ByteBuffer;

/**
 * Sends packets through a fabric that leads nowhere, so that the compiler has seen the way of a packet before the first real one.
 * The first second of a transfer is measured, too.
 */
final class WarmUp {

    private static final int PACKETS = 20_000;
    private static final int CLUSTERS = 3;
    private static final int PACKET_BYTES = 1000;
    private static final double RATE = 1e9;
    /** Just above the rate, so that queues fill and refuse. */
    private static final long INTERVAL_NANOS = 990;

    private static final int QUEUE_BYTES = 20_000;
    private static final long DELAY_NANOS = 50_000;

    private WarmUp() {}

    /** Takes about a tenth of a second. */
    static void run() {
        PacketSlots slots = new PacketSlots(CLUSTERS * QUEUE_BYTES / PACKET_BYTES * CLUSTERS);
        ImmutableList<Subnet> subnets =
                ImmutableList.of(Subnet.parse("10.0.0.0/16"), Subnet.parse("10.1.0.0/16"), Subnet.parse("10.2.0.0/16"));
        PacketCounters counters = new PacketCounters(CLUSTERS * CLUSTERS);
        Fabric fabric = new Fabric(subnets, slots, counters, 0, (cluster, slot) -> true);
        for (int from = 0; from < CLUSTERS; from++) {
            fabric.setUplink(0, from, RATE, QUEUE_BYTES);
            fabric.setDownlink(0, from, RATE, QUEUE_BYTES);
            for (int to = 0; to < CLUSTERS; to++) {
                fabric.setLink(0, fabric.linkIndex(from, to), RATE, DELAY_NANOS, 0.01, QUEUE_BYTES);
            }
        }
        ByteBuffer packet = ByteBuffer.allocateDirect(PACKET_BYTES);
        packet.put(0, (byte) 0x45).putShort(2, (short) PACKET_BYTES);
        for (int i = 0; i < PACKETS; i++) {
            int from = i % CLUSTERS;
            packet.putInt(16, 10 << 24 | (from + 1) % CLUSTERS << 16);
            boolean whole = Ipv4.isVersion4(packet, 0) && Ipv4.isWhole(packet, 0, PACKET_BYTES);
            int destination = Ipv4.destination(packet, 0);
            int slot = slots.take();
            if (whole && !Ipv4.isMulticast(destination) && slot != PacketSlots.NONE) {
                slots.describe(slot, PACKET_BYTES, fabric.route(from, destination));
                fabric.send(i * INTERVAL_NANOS, slot);
            }
        }
    }
}
