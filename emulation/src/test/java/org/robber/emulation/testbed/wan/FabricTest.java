package org.robber.emulation.testbed.wan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;

class FabricTest {

    private static final long SECOND = 1_000_000_000L;
    private static final long PLENTY = Long.MAX_VALUE;
    private static final int CLUSTERS = 3;
    private static final ImmutableList<Subnet> SUBNETS =
            ImmutableList.of(Subnet.parse("10.1.0.0/16"), Subnet.parse("10.2.0.0/16"), Subnet.parse("10.3.0.0/16"));

    /** A packet that came out. */
    private record Delivery(long nanos, int cluster, int link, int bytes) {}

    private final PacketSlots slots = new PacketSlots(2000);
    private final PacketCounters counters = new PacketCounters(CLUSTERS * CLUSTERS);
    private final List<Delivery> deliveries = new ArrayList<>();
    private long nowNanos;
    private boolean exitWorks = true;
    private final Fabric fabric = new Fabric(SUBNETS, slots, counters, 1, (cluster, slot) -> {
        deliveries.add(new Delivery(nowNanos, cluster, slots.link(slot), slots.bytes(slot)));
        return exitWorks;
    });

    @Test
    void packetTakesRateAndDelay() {
        link(0, 1, 1000, SECOND, 0);
        send(0, 1, 500);
        finish();
        assertThat(deliveries).containsExactly(new Delivery(SECOND + SECOND / 2, 1, fabric.linkIndex(0, 1), 500));
        assertThat(counters.deliveredBytes[fabric.linkIndex(0, 1)]).isEqualTo(500);
        assertThat(counters.deliveredPackets[fabric.linkIndex(0, 1)]).isEqualTo(1);
    }

    @Test
    void directionsAreIndependent() {
        link(0, 1, 1000, 0, 0);
        link(1, 0, 100, 0, 0);
        link(0, 2, 10, 0, 0);
        send(0, 1, 100);
        send(1, 0, 100);
        send(0, 2, 100);
        finish();
        assertThat(deliveries)
                .containsExactly(
                        new Delivery(SECOND / 10, 1, fabric.linkIndex(0, 1), 100),
                        new Delivery(SECOND, 0, fabric.linkIndex(1, 0), 100),
                        new Delivery(10 * SECOND, 2, fabric.linkIndex(0, 2), 100));
    }

    @Test
    void whatLeavesAClusterSharesItsAccessLink() {
        fabric.setUplink(0, 0, 100, PLENTY);
        link(0, 1, Double.POSITIVE_INFINITY, 0, 0);
        link(0, 2, Double.POSITIVE_INFINITY, 0, 0);
        send(0, 1, 100);
        send(0, 2, 100);
        send(0, 1, 100);
        finish();
        assertThat(deliveries.stream().map(Delivery::nanos)).containsExactly(SECOND, 2 * SECOND, 3 * SECOND);
        assertThat(deliveries.stream().map(Delivery::cluster)).containsExactly(1, 2, 1);
    }

    @Test
    void whatEntersAClusterSharesItsAccessLink() {
        fabric.setDownlink(0, 2, 100, PLENTY);
        link(0, 2, Double.POSITIVE_INFINITY, SECOND, 0);
        link(1, 2, Double.POSITIVE_INFINITY, SECOND, 0);
        send(0, 2, 100);
        send(1, 2, 100);
        finish();
        assertThat(deliveries.stream().map(Delivery::nanos)).containsExactly(2 * SECOND, 3 * SECOND);
    }

    @Test
    void latePassageDoesNotSlowAChainOfQueues() {
        fabric.setUplink(0, 0, 1000, PLENTY);
        fabric.setDownlink(0, 1, 1000, PLENTY);
        link(0, 1, 1000, 0, 0);
        for (int i = 0; i < 10; i++) {
            send(0, 1, 1000);
        }
        nowNanos = 11 * SECOND;
        fabric.advance(nowNanos);
        assertThat(deliveries).hasSize(9);
        assertThat(fabric.nextNanos()).isEqualTo(12 * SECOND);
    }

    @Test
    void whatComesLateIsNotServedBeforeItCame() {
        link(0, 1, 1000, 0, 0);
        send(0, 1, 1000);
        // the first was served at 1 s, before this call
        nowNanos = 5 * SECOND;
        send(0, 1, 1000);
        finish();
        assertThat(deliveries.stream().map(Delivery::nanos)).containsExactly(5 * SECOND, 6 * SECOND);
    }

    @Test
    void fullQueuesDropAndCount() {
        int index = fabric.linkIndex(0, 1);
        fabric.setLink(0, index, 1000, 0, 0, 250);
        for (int i = 0; i < 5; i++) {
            send(0, 1, 100);
        }
        fabric.setUplink(0, 2, 1000, 100);
        link(2, 1, 1000, 0, 0);
        send(2, 1, 100);
        send(2, 1, 100);
        finish();
        assertThat(counters.deliveredPackets[index]).isEqualTo(2);
        assertThat(counters.droppedPackets[index]).isEqualTo(3);
        assertThat(counters.droppedPackets[fabric.linkIndex(2, 1)]).isEqualTo(1);
        assertThat(slots.free()).isEqualTo(2000);
    }

    @Test
    void lostPacketsTakeTheirTimeOnTheLink() {
        link(0, 1, 1000, 0, 0.999999);
        send(0, 1, 1000);
        link(0, 1, 1000, 0, 0.999999);
        send(0, 1, 1000);
        assertThat(fabric.nextNanos()).isEqualTo(SECOND);
        nowNanos = SECOND;
        fabric.advance(nowNanos);
        link(0, 1, 1000, 0, 0);
        finish();
        assertThat(deliveries.stream().map(Delivery::nanos)).containsExactly(2 * SECOND);
        assertThat(counters.lostPackets[fabric.linkIndex(0, 1)]).isEqualTo(1);
    }

    @Test
    void superPacketsTakeTheTimeOfAllTheirPacketsAndCountAsSuch() {
        link(0, 1, 1000, 0, 0);
        int slot = slots.take();
        slots.describe(slot, 3000, 3, 2900, fabric.linkIndex(0, 1));
        fabric.send(nowNanos, slot);
        finish();
        assertThat(deliveries).containsExactly(new Delivery(3 * SECOND, 1, fabric.linkIndex(0, 1), 3000));
        assertThat(counters.deliveredPackets[fabric.linkIndex(0, 1)]).isEqualTo(3);
        assertThat(counters.deliveredBytes[fabric.linkIndex(0, 1)]).isEqualTo(3000);
    }

    @Test
    void leadsToClustersThatLinksLeadTo() {
        link(0, 1, 1000, 0, 0);
        assertThat(fabric.route(0, 0x0a020005)).isEqualTo(fabric.linkIndex(0, 1));
        assertThat(fabric.route(0, 0x0a030005)).as("no link").isEqualTo(-1);
        assertThat(fabric.route(1, 0x0a010005)).as("the other direction").isEqualTo(-1);
        assertThat(fabric.route(0, 0x0a010005)).as("its own cluster").isEqualTo(-1);
        assertThat(fabric.route(0, 0x08080808)).as("no cluster").isEqualTo(-1);
    }

    @Test
    void knowsTheShortestDelayOfItsLinks() {
        assertThat(fabric.shortestDelayNanos()).isZero();
        link(0, 1, 1000, 30, 0);
        link(1, 0, 1000, 10, 0);
        link(0, 2, 1000, 20, 0);
        assertThat(fabric.shortestDelayNanos()).isEqualTo(10);
        fabric.cutLink(fabric.linkIndex(1, 0));
        assertThat(fabric.shortestDelayNanos()).isEqualTo(20);
    }

    @Test
    void cutLinksDeliverWhatIsOnItsWay() {
        link(0, 1, 1000, SECOND, 0);
        send(0, 1, 1000);
        fabric.cutLink(fabric.linkIndex(0, 1));
        assertThat(fabric.route(0, 0x0a020005)).isEqualTo(-1);
        finish();
        assertThat(deliveries).hasSize(1);
    }

    @Test
    void failedDeliveriesAreCountedAsSuch() {
        exitWorks = false;
        link(0, 1, 1000, 0, 0);
        send(0, 1, 1000);
        finish();
        assertThat(counters.deliveredPackets[fabric.linkIndex(0, 1)]).isZero();
        assertThat(counters.refused(DropReason.UNDELIVERABLE)).isEqualTo(1);
        assertThat(slots.free()).isEqualTo(2000);
    }

    /** Each packet is delivered, dropped or lost; in order on each link; never before its delay; no faster than any stage. */
    @Test
    void randomNetworksKeepTheirPromises() {
        SeededRuns.run(100, FabricTest::randomNetwork);
    }

    private static void randomNetwork(SeededRandom random) {
        FabricTest test = new FabricTest();
        double[] up = new double[CLUSTERS];
        double[] down = new double[CLUSTERS];
        long[] delay = new long[CLUSTERS * CLUSTERS];
        for (int i = 0; i < CLUSTERS; i++) {
            up[i] = random.nextBoolean() ? Double.POSITIVE_INFINITY : 1e5 + random.nextInt(10_000_000);
            down[i] = random.nextBoolean() ? Double.POSITIVE_INFINITY : 1e5 + random.nextInt(10_000_000);
            test.fabric.setUplink(0, i, up[i], 50_000);
            test.fabric.setDownlink(0, i, down[i], 50_000);
            for (int j = 0; j < CLUSTERS; j++) {
                int index = test.fabric.linkIndex(i, j);
                delay[index] = random.nextInt(20_000_000);
                test.fabric.setLink(
                        0, index, 1e5 + random.nextInt(10_000_000), delay[index], random.nextInt(5) * 0.01, 50_000);
            }
        }
        // the length of a packet is its number on its link, so that order can be seen
        int[] sent = new int[CLUSTERS * CLUSTERS];
        List<List<Long>> sentAt = new ArrayList<>();
        for (int i = 0; i < sent.length; i++) {
            sentAt.add(new ArrayList<>());
        }
        for (int i = 0; i < 1500; i++) {
            test.nowNanos += random.nextInt(200_000);
            if (random.nextInt(3) == 0) {
                test.runTo(test.nowNanos);
            }
            int from = random.nextInt(CLUSTERS);
            int to = (from + 1 + random.nextInt(CLUSTERS - 1)) % CLUSTERS;
            int index = test.fabric.linkIndex(from, to);
            sentAt.get(index).add(test.nowNanos);
            sent[index]++;
            test.send(from, to, 20 + sent[index]);
        }
        test.finish();
        for (int link = 0; link < sent.length; link++) {
            int index = link;
            List<Delivery> out =
                    test.deliveries.stream().filter(d -> d.link() == index).toList();
            assertThat((long) sent[link])
                    .isEqualTo(out.size() + test.counters.droppedPackets[link] + test.counters.lostPackets[link]);
            assertThat(out.stream().map(Delivery::bytes)).isSorted().doesNotHaveDuplicates();
            for (Delivery delivery : out) {
                long begun = sentAt.get(link).get(delivery.bytes() - 21);
                assertThat(delivery.nanos()).isGreaterThanOrEqualTo(begun + delay[link]);
            }
        }
        assertThat(test.slots.free()).isEqualTo(2000);
        assertThat(test.fabric.nextNanos()).isEqualTo(VirtualClockQueue.NEVER);
    }

    @Test
    void accessLinksReachTheirRateWithManyLinksBehindThem() {
        fabric.setUplink(0, 0, 1_000_000, 100_000);
        link(0, 1, 600_000, 0, 0);
        link(0, 2, 600_000, 0, 0);
        for (int i = 0; i < 1500; i++) {
            nowNanos = i * SECOND / 1000;
            send(0, 1 + i % 2, 1400);
        }
        long until = nowNanos;
        finish();
        long bytes = deliveries.stream()
                .filter(d -> d.nanos() <= until)
                .mapToLong(Delivery::bytes)
                .sum();
        assertThat(bytes / (until / 1e9)).isCloseTo(1_000_000, within(10_000.0));
    }

    private void link(int from, int to, double rate, long delayNanos, double loss) {
        fabric.setLink(nowNanos, fabric.linkIndex(from, to), rate, delayNanos, loss, PLENTY);
    }

    private void send(int from, int to, int bytes) {
        int slot = slots.take();
        slots.describe(slot, bytes, fabric.linkIndex(from, to));
        fabric.send(nowNanos, slot);
    }

    /** Looks whenever something is due. */
    private void runTo(long nanos) {
        long end = nanos;
        while (fabric.nextNanos() <= end) {
            nowNanos = fabric.nextNanos();
            fabric.advance(nowNanos);
        }
        nowNanos = end;
    }

    private void finish() {
        while (fabric.nextNanos() != VirtualClockQueue.NEVER) {
            nowNanos = Math.max(nowNanos, fabric.nextNanos());
            fabric.advance(nowNanos);
        }
    }
}
