package org.robber.emulation.testbed.wan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.core.random.SeededRuns;

class PacketSlotsTest {

    @Test
    void theLastGivenBackIsTheNextTaken() {
        PacketSlots slots = new PacketSlots(3);
        slots.take();
        int slot = slots.take();
        slots.release(slot);
        assertThat(slots.take()).isEqualTo(slot);
    }

    @Test
    void eachPlaceIsTakenOnce() {
        PacketSlots slots = new PacketSlots(3);
        assertThat(List.of(slots.take(), slots.take(), slots.take())).containsExactlyInAnyOrder(0, 1, 2);
        assertThat(slots.free()).isZero();
        assertThat(slots.take()).isEqualTo(PacketSlots.NONE);
        assertThat(slots.free()).isZero();
    }

    @Test
    void queuesThatShareThemBehaveLikeOrdinaryQueues() {
        SeededRuns.run(50, random -> {
            PacketSlots slots = new PacketSlots(20);
            List<PacketFifo> queues = List.of(new PacketFifo(slots), new PacketFifo(slots), new PacketFifo(slots));
            List<Deque<Integer>> expected = List.of(new ArrayDeque<>(), new ArrayDeque<>(), new ArrayDeque<>());
            for (int step = 0; step < 500; step++) {
                int which = random.nextInt(3);
                PacketFifo queue = queues.get(which);
                Deque<Integer> plain = expected.get(which);
                assertThat(queue.isEmpty()).isEqualTo(plain.isEmpty());
                if (random.nextBoolean()) {
                    int slot = slots.take();
                    if (slot != PacketSlots.NONE) {
                        queue.add(slot);
                        plain.add(slot);
                    }
                } else if (!plain.isEmpty()) {
                    assertThat(queue.head()).isEqualTo(plain.peek());
                    int slot = queue.remove();
                    assertThat(slot).isEqualTo(plain.remove());
                    if (random.nextBoolean()) {
                        slots.release(slot);
                    } else {
                        queues.get((which + 1) % 3).add(slot);
                        expected.get((which + 1) % 3).add(slot);
                    }
                }
                List<Integer> standing = new ArrayList<>();
                expected.forEach(standing::addAll);
                assertThat(new HashSet<>(standing)).hasSize(20 - slots.free());
            }
        });
    }
}
