package org.robber.emulation.testbed.wan;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.google.common.collect.ImmutableList;
import java.nio.ByteBuffer;

/**
 * Fuzz targets for what the network reads: commands and packets. An ordinary build replays the inputs kept among the test
 * resources; with {@code JAZZER_FUZZ=1} in the environment, Jazzer looks for new ones.
 */
class WanFuzzTest {

    private static final int CLUSTERS = 2;

    @FuzzTest(maxDuration = "1m")
    void commands(byte[] bytes) {
        PacketSlots slots = new PacketSlots(8);
        PacketCounters counters = new PacketCounters(CLUSTERS * CLUSTERS);
        Fabric fabric = new Fabric(
                ImmutableList.of(Subnet.parse("10.1.0.0/16"), Subnet.parse("10.2.0.0/16")),
                slots,
                counters,
                1,
                (cluster, slot) -> true);
        Commands commands = new Commands(fabric, counters);
        LineBuffer lines = new LineBuffer(200);
        long now = 0;
        for (byte value : bytes) {
            if (!lines.add(value)) {
                continue;
            }
            now += 1_000_000;
            assertThat(commands.answer(now, lines.line())).matches("ok|counts .*|error: (?s).*");
            int slot = slots.take();
            if (slot != PacketSlots.NONE) {
                slots.describe(slot, 9000, fabric.linkIndex(0, 1));
                fabric.send(now, slot);
            }
        }
    }

    @FuzzTest(maxDuration = "1m")
    void packet(byte[] bytes) {
        if (bytes.length == 0) {
            return;
        }
        // only as much memory as the packet has: reading beyond it fails
        ByteBuffer memory = ByteBuffer.wrap(bytes);
        if (Ipv4.isVersion4(memory, 0) && Ipv4.isWhole(memory, 0, bytes.length)) {
            assertThat(bytes.length).isGreaterThanOrEqualTo(Ipv4.HEADER_BYTES);
            int destination = Ipv4.destination(memory, 0);
            assertThat(Ipv4.isMulticast(destination)).isEqualTo((bytes[16] & 0xf0) == 0xe0);
            assertThat(Ipv4.tcpHeaderBytes(memory, 0, bytes.length)).isGreaterThanOrEqualTo(2 * Ipv4.HEADER_BYTES);
        }
    }
}
