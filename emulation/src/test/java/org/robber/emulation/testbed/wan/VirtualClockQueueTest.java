package org.robber.emulation.testbed.wan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.core.random.SeededRuns;

class VirtualClockQueueTest {

    private static final long SECOND = 1_000_000_000L;
    private static final long PLENTY = Long.MAX_VALUE;

    private final PacketSlots slots = new PacketSlots(10_000);
    private final VirtualClockQueue queue = new VirtualClockQueue(slots);

    @Test
    void packetTakesItsSizeByTheRate() {
        queue.change(0, 1000, PLENTY);
        offer(5 * SECOND, 500);
        assertThat(queue.headNanos()).isEqualTo(5 * SECOND + SECOND / 2);
    }

    @Test
    void packetsFollowOneAnotherWithoutGapHoweverLateSomebodyLooks() {
        queue.change(0, 1000, PLENTY);
        offer(0, 1000);
        offer(1, 1000);
        offer(2, 1000);
        assertThat(drain()).containsExactly(SECOND, 2 * SECOND, 3 * SECOND);
    }

    @Test
    void idleTimeIsNotSavedUp() {
        queue.change(0, 1000, PLENTY);
        offer(0, 1000);
        assertThat(drain()).containsExactly(SECOND);
        offer(10 * SECOND, 1000);
        offer(10 * SECOND, 1000);
        assertThat(drain()).containsExactly(11 * SECOND, 12 * SECOND);
    }

    @Test
    void newestIsRefusedWhereTheLimitIsReached() {
        queue.change(0, 1000, 1500);
        assertThat(offered(0, 1000)).isTrue();
        assertThat(offered(0, 500)).isTrue();
        assertThat(offered(0, 1)).isFalse();
        assertThat(queue.queuedBytes()).isEqualTo(1500);
        queue.take();
        assertThat(offered(SECOND, 1000)).isTrue();
        assertThat(offered(SECOND, 1)).isFalse();
    }

    @Test
    void emptyQueueTakesAnyPacket() {
        queue.change(0, 1000, 0);
        assertThat(offered(0, 9000)).isTrue();
        assertThat(offered(0, 1)).isFalse();
    }

    @Test
    void newRateHoldsForTheRestOfAPacket() {
        queue.change(0, 1000, PLENTY);
        offer(0, 1000);
        offer(0, 1000);
        queue.change(SECOND / 4, 250, PLENTY);
        // 250 of 1000 bytes were through
        assertThat(drain()).containsExactly(SECOND / 4 + 3 * SECOND, SECOND / 4 + 7 * SECOND);
    }

    @Test
    void changesAddUp() {
        queue.change(0, 1000, PLENTY);
        offer(0, 1000);
        for (int i = 1; i <= 9; i++) {
            queue.change(i * SECOND / 10, 1000, PLENTY);
        }
        assertThat(drain()).containsExactly(SECOND);
    }

    @Test
    void withoutARateNothingPassesAndNothingIsForgotten() {
        queue.change(0, 1000, PLENTY);
        offer(0, 1000);
        queue.change(SECOND / 2, 0, PLENTY);
        offer(SECOND, 1000);
        assertThat(queue.headNanos()).isEqualTo(VirtualClockQueue.NEVER);
        queue.change(10 * SECOND, 0, PLENTY);
        queue.change(20 * SECOND, 1000, PLENTY);
        assertThat(drain()).containsExactly(20 * SECOND + SECOND / 2, 21 * SECOND + SECOND / 2);
    }

    @Test
    void withoutALimitEverythingPassesAtOnce() {
        assertThat(queue.isTransparent()).isFalse();
        queue.change(0, 1000, PLENTY);
        offer(0, 1000);
        offer(0, 1000);
        queue.change(SECOND / 2, Double.POSITIVE_INFINITY, PLENTY);
        assertThat(queue.isTransparent()).isFalse();
        assertThat(drain()).containsExactly(SECOND / 2, SECOND / 2);
        assertThat(queue.isTransparent()).isTrue();
    }

    @Test
    void smallerLimitRefusesWhatComesAndKeepsWhatIsThere() {
        queue.change(0, 1000, PLENTY);
        offer(0, 1000);
        offer(0, 1000);
        queue.change(0, 1000, 100);
        assertThat(offered(0, 1)).isFalse();
        assertThat(drain()).hasSize(2);
    }

    /** Every sequence of three packets with these sizes, gaps, limits, and one change of the rate, against plain arithmetic. */
    @Test
    void smallCasesAreAsComputedByHand() {
        int[] values = {1, 2, 5};
        for (int code = 0; code < 3 * 3 * 3 * 3 * 3 * 3; code++) {
            int rest = code;
            int[] bytes = new int[3];
            long[] at = new long[3];
            for (int i = 0; i < 3; i++) {
                bytes[i] = values[rest % 3];
                rest /= 3;
                at[i] = (i == 0 ? 0 : at[i - 1]) + values[rest % 3] - 1;
                rest /= 3;
            }
            for (long limit = 0; limit <= 12; limit++) {
                assertThat(throughQueue(bytes, at, limit))
                        .as("bytes %s at %s limit %s", bytes, at, limit)
                        .isEqualTo(byHand(bytes, at, limit));
            }
        }
    }

    /** Times by which packets are through at one byte a nanosecond; -1 where one is refused. */
    private static List<Long> byHand(int[] bytes, long[] at, long limit) {
        List<Long> through = new ArrayList<>();
        long busyUntil = 0;
        for (int i = 0; i < bytes.length; i++) {
            long queued = 0;
            for (int j = 0; j < i; j++) {
                queued += through.get(j) > at[i] ? bytes[j] : 0;
            }
            if (queued > 0 && queued + bytes[i] > limit) {
                through.add(-1L);
            } else {
                busyUntil = Math.max(busyUntil, at[i]) + bytes[i];
                through.add(busyUntil);
            }
        }
        return through;
    }

    private static List<Long> throughQueue(int[] bytes, long[] at, long limit) {
        PacketSlots places = new PacketSlots(bytes.length);
        VirtualClockQueue tested = new VirtualClockQueue(places);
        tested.change(0, SECOND, limit);
        Long[] through = new Long[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            while (tested.headNanos() <= at[i]) {
                long due = tested.headNanos();
                through[tested.take()] = due;
            }
            int slot = places.take();
            places.describe(slot, bytes[i], 0);
            if (!tested.offer(at[i], slot)) {
                through[slot] = -1L;
            }
        }
        while (tested.headNanos() != VirtualClockQueue.NEVER) {
            long due = tested.headNanos();
            through[tested.take()] = due;
        }
        return List.of(through);
    }

    @Test
    void neverAboveTheRateNeverIdleWhileSomethingWaitsAlwaysInOrder() {
        SeededRuns.run(200, random -> {
            PacketSlots places = new PacketSlots(400);
            VirtualClockQueue tested = new VirtualClockQueue(places);
            double rate = 1e5 + random.nextInt(100_000_000);
            long limit = 20_000L + random.nextInt(100_000);
            tested.change(0, rate, limit);
            List<long[]> served = new ArrayList<>();
            long[] arrived = new long[400];
            long now = 0;
            long accepted = 0;
            for (int i = 0; i < 400; i++) {
                now += random.nextInt(4) == 0 ? random.nextInt(3_000_000) : random.nextInt(1000);
                while (tested.headNanos() <= now) {
                    take(tested, places, served);
                }
                int slot = places.take();
                places.describe(slot, 20 + random.nextInt(8981), i);
                arrived[i] = now;
                if (tested.offer(now, slot)) {
                    accepted++;
                }
                assertThat(tested.queuedBytes()).isLessThanOrEqualTo(limit);
            }
            while (tested.headNanos() != VirtualClockQueue.NEVER) {
                take(tested, places, served);
            }
            assertThat(served).hasSize((int) accepted);
            assertThat(tested.queuedBytes()).isZero();
            long before = 0;
            int last = -1;
            for (long[] packet : served) {
                assertThat((int) packet[2]).as("order").isGreaterThan(last);
                last = (int) packet[2];
                long begin = Math.max(before, arrived[last]);
                double nanos = packet[1] / rate * SECOND;
                assertThat((double) (packet[0] - begin)).isCloseTo(nanos, within(1.001));
                assertThat((double) (packet[0] - begin)).isGreaterThanOrEqualTo(nanos);
                before = packet[0];
            }
            // any window holds no more than the rate allows, and the packet that was under way when it began
            for (int i = 0; i < served.size(); i++) {
                long bytes = 0;
                for (int j = i; j < served.size(); j++) {
                    double window = served.get(j)[0] - served.get(i)[0];
                    assertThat((double) bytes).isLessThanOrEqualTo(window * rate / SECOND + 1e-3);
                    bytes += j + 1 < served.size() ? served.get(j + 1)[1] : 0;
                }
            }
        });
    }

    @Test
    void whatPassesWhileTheRateChangesIsTheSumOfWhatTheRatesAllow() {
        SeededRuns.run(200, random -> {
            PacketSlots places = new PacketSlots(1000);
            VirtualClockQueue tested = new VirtualClockQueue(places);
            tested.change(0, 0, PLENTY);
            for (int i = 0; i < 1000; i++) {
                int slot = places.take();
                places.describe(slot, 1000, 0);
                tested.offer(0, slot);
            }
            double allowed = 0;
            long passed = 0;
            long now = 0;
            double rate = 0;
            for (int change = 0; change < 50; change++) {
                long next = now + random.nextInt(10_000_000);
                while (tested.headNanos() <= next) {
                    passed += places.bytes(tested.take());
                }
                allowed += (next - now) * rate / SECOND;
                now = next;
                rate = random.nextInt(5) == 0 ? 0 : random.nextInt(2_000_000);
                tested.change(now, rate, PLENTY);
            }
            assertThat((double) passed).isBetween(allowed - 1001, allowed + 1);
        });
    }

    private static void take(VirtualClockQueue tested, PacketSlots places, List<long[]> served) {
        long due = tested.headNanos();
        int slot = tested.take();
        served.add(new long[] {due, places.bytes(slot), places.link(slot)});
        places.release(slot);
    }

    private void offer(long nowNanos, int bytes) {
        assertThat(offered(nowNanos, bytes)).isTrue();
    }

    private boolean offered(long nowNanos, int bytes) {
        int slot = slots.take();
        slots.describe(slot, bytes, 0);
        return queue.offer(nowNanos, slot);
    }

    private List<Long> drain() {
        List<Long> times = new ArrayList<>();
        while (queue.headNanos() != VirtualClockQueue.NEVER) {
            times.add(queue.headNanos());
            queue.take();
        }
        return times;
    }
}
