package org.robber.emulation.testbed.wan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.robber.emulation.testbed.wan.TwoClusters.BACK;
import static org.robber.emulation.testbed.wan.TwoClusters.FREE;
import static org.robber.emulation.testbed.wan.TwoClusters.THERE;

import com.google.common.collect.ImmutableSortedMap;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.robber.emulation.scenario.LinkSpec;
import org.robber.emulation.scenario.Phase;
import org.robber.emulation.testbed.network.AddressPlan;
import org.robber.emulation.testbed.sandbox.TestbedException;
import org.robber.emulation.testbed.sandbox.TestbedRequirements;

/** Two clusters of one node with a real network between them. Datagrams show what happens to each packet. */
class TunWanIT {

    private static final int PACKET = 8028;
    private static final long MILLISECOND = 1_000_000;

    private TwoClusters clusters;
    private TunWan wan;
    private long begunNanos;

    /** A datagram that arrived. */
    private record Arrival(int number, long nanos) {}

    @BeforeEach
    void isPossibleHere() {
        assumeTrue(
                TestbedRequirements.missing().isEmpty(),
                () -> "requirements of a testbed are missing: " + TestbedRequirements.missing());
    }

    @AfterEach
    void takesItAllAway() {
        if (clusters != null) {
            clusters.close();
        }
    }

    @Test
    void packetsArriveInOrderAtTheRateAndAreCounted() throws Exception {
        start(FREE, link(5e5, 10 * MILLISECOND, 0));
        List<Arrival> arrivals = send(60, PACKET);
        assertThat(arrivals.stream().map(Arrival::number))
                .isNotEmpty()
                .isSorted()
                .doesNotHaveDuplicates();
        assertRate(arrivals, 5e5);
        assertThat(wan.crossedBytes()).containsEntry(THERE, 60L * PACKET).containsEntry(BACK, 0L);
    }

    @Test
    void fullQueueDropsTheNewest() throws Exception {
        start(FREE, link(1e6, MILLISECOND, 0));
        List<Arrival> arrivals = send(400, PACKET);
        WanCounts.Link counts = wan.counts().links().get(THERE);
        assertThat(counts.droppedPackets())
                .isEqualTo(400 - counts.deliveredPackets())
                .isPositive();
        long held = QueueLimits.bytes(1e6, MILLISECOND, AddressPlan.MTU) / PACKET;
        assertThat(counts.deliveredPackets()).isGreaterThanOrEqualTo(held);
        // a receiver that has to wait for the processor may lose some, but never sees others before them
        assertThat(arrivals.stream().map(Arrival::number))
                .isSorted()
                .first()
                .asInstanceOf(InstanceOfAssertFactories.INTEGER)
                .isLessThan((int) held);
    }

    @Test
    void lossTakesItsShare() throws Exception {
        start(FREE, link(FREE, MILLISECOND, 0.3));
        List<Arrival> arrivals = send(400, 1028);
        WanCounts.Link counts = wan.counts().links().get(THERE);
        assertThat(counts.lostPackets()).isBetween(80L, 160L);
        assertThat(counts.deliveredPackets()).isEqualTo(400 - counts.lostPackets());
        assertThat(arrivals).hasSizeLessThanOrEqualTo((int) counts.deliveredPackets());
    }

    @Test
    void accessLinksLimitAll() throws Exception {
        start(4e5, link(FREE, MILLISECOND, 0));
        List<Arrival> arrivals = send(60, PACKET);
        assertRate(arrivals, 4e5);
    }

    @Test
    void phasesChangeARunningNetwork() throws Exception {
        start(FREE, link(1e6, MILLISECOND, 0));
        wan.apply(phase(link(6e5, MILLISECOND, 0)));
        assertRate(send(60, PACKET), 6e5);
        wan.apply(new Phase(0, ImmutableSortedMap.of(BACK, link(1e6, 0, 0))));
        // nothing leads there any more; sent straight, since the connection would not learn of the end
        run("n0", "send", "10.2.0.1", "5", "1028").waitFor();
        assertThat(wan.counts().refused()).containsEntry("unreachable", 5L);
        assertThat(wan.crossedBytes()).containsEntry(THERE, 60L * PACKET);
    }

    @Test
    void linkWithoutARateHoldsWhatComes() throws Exception {
        start(FREE, link(0, 0, 0));
        run("n0", "send", "10.2.0.1", "5", "1028").waitFor();
        assertThat(wan.crossedBytes()).containsEntry(THERE, 0L);
        wan.apply(phase(link(FREE, 0, 0)));
        assertThat(send(1, 1028)).hasSize(1);
        assertThat(wan.crossedBytes()).containsEntry(THERE, 6L * 1028);
    }

    @Test
    void whatHasNoClusterIsCounted() throws Exception {
        start(FREE, link(FREE, 0, 0));
        run("n0", "send", "10.77.0.1", "3", "1028").waitFor();
        assertThat(wan.counts().refused()).containsEntry("unreachable", 3L);
    }

    @Test
    void saysWhenADeviceIsGone() throws Exception {
        start(FREE, link(FREE, 0, 0));
        clusters.shell("ip -n r0 link del wan0");
        assertThatThrownBy(() -> {
                    // the first question may still be answered
                    for (int i = 0; i < 1000; i++) {
                        wan.counts();
                    }
                })
                .isInstanceOf(TestbedException.class)
                .hasMessageContaining("the device wan0 is gone");
    }

    @Test
    void closingTwiceIsWell() throws Exception {
        start(FREE, link(FREE, 0, 0));
        wan.close();
        wan.close();
        assertThatThrownBy(wan::crossedBytes).isInstanceOf(TestbedException.class);
    }

    @Test
    void goesBeforeTheProgramsUnderTest() throws Exception {
        start(FREE, link(FREE, 0, 0));
        assertThat(wan.precedence()).isIn("realtime", "nice");
    }

    private void start(double accessUp, LinkSpec there) {
        clusters = new TwoClusters(accessUp, there, link(1e6, 0, 0));
        wan = clusters.wan();
    }

    private static Phase phase(LinkSpec there) {
        return TwoClusters.phase(there, link(1e6, 0, 0));
    }

    private static LinkSpec link(double bytesPerSecond, long delayNanos, double loss) {
        return new LinkSpec(bytesPerSecond, delayNanos, loss);
    }

    /**
     * No packet comes earlier than all before it take; also not later, where that is measured: programs on a busy machine see
     * packets late.
     */
    private void assertRate(List<Arrival> arrivals, double rate) {
        for (Arrival arrival : arrivals) {
            double seconds = (arrival.nanos() - begunNanos) / 1e9;
            assertThat(seconds).isGreaterThan((arrival.number() + 1.0) * PACKET / rate - 0.01);
        }
        if (Boolean.getBoolean("robber.measure")) {
            assertThat(bytesPerSecond(arrivals)).isCloseTo(rate, within(0.03 * rate));
        }
    }

    /** Sends datagrams from the first cluster to the second. */
    private List<Arrival> send(int count, int packetBytes) throws IOException, InterruptedException {
        Process receiver = run("n1", "receive", "500");
        List<Arrival> arrivals = new ArrayList<>();
        try (BufferedReader lines = receiver.inputReader(StandardCharsets.US_ASCII)) {
            assertThat(lines.readLine()).isEqualTo("ready");
            begunNanos = System.nanoTime();
            assertThat(run("n0", "send", "10.2.0.1", Integer.toString(count), Integer.toString(packetBytes))
                            .waitFor())
                    .isZero();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                int space = line.indexOf(' ');
                arrivals.add(new Arrival(
                        Integer.parseInt(line.substring(0, space)), Long.parseLong(line.substring(space + 1))));
            }
        }
        return Collections.unmodifiableList(arrivals);
    }

    private Process run(String node, String... arguments) throws IOException {
        return clusters.java(node, Datagrams.class, List.of(arguments));
    }

    /** Without the first ones, which find a program that is still cold. */
    private static double bytesPerSecond(List<Arrival> arrivals) {
        List<Arrival> warm = arrivals.subList(10, arrivals.size());
        long nanos = warm.get(warm.size() - 1).nanos() - warm.get(0).nanos();
        return (warm.size() - 1.0) * PACKET / nanos * 1e9;
    }
}
