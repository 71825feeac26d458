package org.robber.emulation.testbed.wan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DelayLineTest {

    private final PacketSlots slots = new PacketSlots(3);
    private final DelayLine line = new DelayLine(slots);

    @Test
    void packetsLeaveAfterTheDelay() {
        line.change(10);
        int first = add(5);
        int second = add(7);
        assertThat(line.headNanos()).isEqualTo(15);
        assertThat(line.take()).isEqualTo(first);
        assertThat(line.headNanos()).isEqualTo(17);
        assertThat(line.take()).isEqualTo(second);
        assertThat(line.headNanos()).isEqualTo(VirtualClockQueue.NEVER);
    }

    @Test
    void nobodyOvertakesWhenTheDelayBecomesShorter() {
        line.change(100);
        int first = add(0);
        line.change(10);
        int second = add(1);
        int third = add(95);
        assertThat(line.headNanos()).isEqualTo(100);
        assertThat(line.take()).isEqualTo(first);
        assertThat(line.headNanos()).isEqualTo(100);
        assertThat(line.take()).isEqualTo(second);
        assertThat(line.headNanos()).isEqualTo(105);
        assertThat(line.take()).isEqualTo(third);
    }

    private int add(long nowNanos) {
        int slot = slots.take();
        line.add(nowNanos, slot);
        return slot;
    }
}
