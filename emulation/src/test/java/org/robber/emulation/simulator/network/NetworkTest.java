package org.robber.emulation.simulator.network;

import static java.lang.Double.POSITIVE_INFINITY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.robber.emulation.simulator.Drawings.MILLI;
import static org.robber.emulation.simulator.Drawings.cluster;
import static org.robber.emulation.simulator.Drawings.link;
import static org.robber.emulation.simulator.Drawings.links;

import com.google.common.collect.ImmutableList;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.robber.core.protocol.Message;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.NicScope;
import org.robber.emulation.scenario.Phase;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.simulator.Drawings;

/** The model against times computed by hand; heads of packets and frames are 0.7 % of all bytes. */
class NetworkTest {
    private static final Percentage HEADS = Percentage.withPercentage(1);

    private static Scenario twoClusters(double megabytesPerSecond, long delayNanos) {
        return Drawings.of(
                links(new double[][] {{0, megabytesPerSecond}, {0, 0}}, delayNanos), cluster("A", 4), cluster("B", 4));
    }

    private static Scenario oneCluster(int nodes, double cardMegabytesPerSecond) {
        return Drawings.of(links(new double[1][1], 0), cluster("A", nodes, cardMegabytesPerSecond * 1e6, NicScope.ALL));
    }

    @Test
    void aCardTakesTheTimeOfItsRateAndTheReceiversCardAddsNone() {
        Bench bench = new Bench(oneCluster(2, 10), Bench.WIDE);
        bench.send(bench.connect(0, 1), 10);
        bench.run();
        assertThat(bench.seconds(1, 0)).isCloseTo(0.01 + 0.00005, HEADS);
        assertThat(bench.seconds(1, 9)).isCloseTo(0.1 + 0.00005, HEADS);
    }

    @Test
    void aNodeSendsNoFasterThanItsOwnLimit() {
        // 10 MB to a mate and 1 MB to the other cluster, at 10 MB/s together, and at 1 MB/s to the other cluster
        Bench bench = new Bench(twoClusters(100, MILLI), Bench.WIDE.withSendLimits(new NodeSendLimits(10e6, 1e6)));
        bench.send(bench.connect(0, 1), 100);
        bench.send(bench.connect(0, 4), 10);
        bench.send(bench.connect(2, 5), 10);
        bench.run();
        assertThat(bench.seconds(1, 99)).isCloseTo(1.1, Percentage.withPercentage(3));
        assertThat(bench.seconds(4, 9)).isCloseTo(1, Percentage.withPercentage(5));
        assertThat(bench.seconds(5, 9)).as("each node has its own limit").isCloseTo(1, Percentage.withPercentage(3));
    }

    @Test
    void aLinkAddsItsDelay() {
        Bench bench = new Bench(twoClusters(1, 100 * MILLI), Bench.WIDE);
        bench.send(bench.connect(0, 4), 10);
        bench.run();
        assertThat(bench.seconds(4, 0)).isCloseTo(0.1 + 0.1, HEADS);
        assertThat(bench.seconds(4, 9)).isCloseTo(1 + 0.1, HEADS);
    }

    @Test
    void lostPacketsTakeTheTimeOfALinkHoweverManyTheyAre() {
        Bench bench = new Bench(
                Drawings.of(
                        new Phase(0, Drawings.bothWays(link(100, MILLI, 0.999999))), cluster("A", 4), cluster("B", 4)),
                Bench.PLAIN);
        bench.send(bench.connect(0, 4), 10);
        bench.run();
        assertThat(bench.seconds(4, 9)).isCloseTo(10_000, Percentage.withPercentage(5));
    }

    @Test
    void twoConnectionsShareALinkEqually() {
        Bench bench = new Bench(twoClusters(2, 5 * MILLI), Bench.PLAIN);
        bench.send(bench.connect(0, 4), 50);
        bench.send(bench.connect(1, 5), 50);
        bench.runUntil(2_500 * MILLI);
        assertThat(bench.arrived(4)).isCloseTo(25, Percentage.withPercentage(15));
        assertThat(bench.arrived(5)).isCloseTo(25, Percentage.withPercentage(15));
        bench.run();
        assertThat(Math.max(bench.seconds(4, 49), bench.seconds(5, 49))).isCloseTo(5, HEADS);
    }

    @Test
    void anotherBottleneckLeavesItsShareToOthers() {
        // The sender's card gives 3 MB/s; one link takes 1 of it, so the other gets 2.
        Scenario scenario = Drawings.of(
                links(new double[][] {{0, 1, 10}, {0, 0, 10}, {0, 0, 0}}, 5 * MILLI),
                cluster("A", 1, 3e6, NicScope.ALL),
                cluster("B", 1),
                cluster("C", 1));
        Bench bench = new Bench(scenario, Bench.PLAIN);
        bench.send(bench.connect(0, 1), 200);
        bench.send(bench.connect(0, 2), 200);
        bench.runUntil(8_000 * MILLI);
        assertThat(bench.arrived(1)).isCloseTo(80, Percentage.withPercentage(5));
        assertThat(bench.arrived(2)).isCloseTo(160, Percentage.withPercentage(5));
    }

    @Test
    void fiveSendersShareAReceiversCard() {
        Bench bench = new Bench(oneCluster(6, 10), Bench.PLAIN);
        for (int sender = 1; sender <= 5; sender++) {
            bench.send(bench.connect(sender, 0), 20);
        }
        bench.run();
        assertThat(bench.agenda.nowNanos() / 1e9).isCloseTo(1, HEADS);
    }

    @Test
    void aNewConnectionDoublesItsWindowEveryRoundTrip() {
        // 10 packets, then 20, 40, 80: 1.34 MB in four flights, of which the last arrives 3.5 round trips after the
        // start.
        Bench bench = new Bench(twoClusters(1000, 50 * MILLI), Bench.PLAIN);
        bench.send(bench.connect(0, 4), 12);
        bench.run();
        assertThat(bench.seconds(4, 0)).isCloseTo(0.15, within(0.005));
        assertThat(bench.seconds(4, 1)).isCloseTo(0.15, within(0.005));
        assertThat(bench.seconds(4, 2)).isCloseTo(0.25, within(0.005));
        assertThat(bench.seconds(4, 5)).isCloseTo(0.25, within(0.005));
        assertThat(bench.seconds(4, 6)).isCloseTo(0.35, within(0.005));
        assertThat(bench.seconds(4, 11)).isCloseTo(0.35, within(0.005));
    }

    @Test
    void socketBuffersLimitAConnectionToAWindowPerRoundTrip() {
        NetworkOptions small = new NetworkOptions(
                9000, 50_000, 50 * MILLI, 10, 200_000, 1 << 19, 1 << 17, 1 << 18, 1 << 16, NodeSendLimits.NONE);
        Bench bench = new Bench(twoClusters(1000, 50 * MILLI), small);
        bench.send(bench.connect(0, 4), 100);
        bench.run();
        // 200 KB every 100 ms.
        assertThat(bench.seconds(4, 99)).isCloseTo(10_000_000 / 2e6, Percentage.withPercentage(5));
    }

    @Test
    void lossesLimitAConnection() {
        // Reno is faster here: sqrt(1.5 / 0.015) = 10 packets of 8948 bytes every 100 ms.
        assertThat(rateWithLosses(0.015, 3000)).isCloseTo(0.895e6, Percentage.withPercentage(15));
        // CUBIC is faster here: 1.054 * (0.1 / 0.0001)^0.75 = 187 packets (RFC 9438); sqrt(1.5 / p) would be 122.
        assertThat(rateWithLosses(0.0001, 100_000)).isCloseTo(16.8e6, Percentage.withPercentage(25));
    }

    /** Bytes per second of a connection with a round trip of 100 ms over a link that never fills. */
    private static double rateWithLosses(double loss, int pieces) {
        Scenario scenario = Drawings.of(
                new Phase(0, Drawings.bothWays(link(100_000, 50 * MILLI, loss))), cluster("A", 1), cluster("B", 1));
        Bench bench = new Bench(scenario, Bench.PLAIN);
        Connection connection = bench.connect(0, 1);
        for (int piece = 0; piece < pieces; piece++) {
            connection.sendPiece(piece % 1000);
        }
        bench.run();
        double bytes = (double) pieces * Bench.PIECE_BYTES;
        // What is lost has crossed as well.
        long crossed = bench.network.links().crossedBytes().get(new ClusterPair(0, 1));
        assertThat((double) crossed).isBetween(bytes * 1.0058 / (1 - loss), bytes * 1.0090 / (1 - loss));
        return bytes / (bench.agenda.nowNanos() / 1e9);
    }

    @Test
    void aPhaseChangesWhatIsUnderWay() {
        Scenario base = twoClusters(10, 0);
        Phase slow = links(new double[][] {{0, 1}, {0, 0}}, 0);
        Scenario scenario = new Scenario(
                "test",
                "",
                base.origin(),
                base.root(),
                base.clusters(),
                ImmutableList.of(base.phases().get(0), new Phase(500 * MILLI, slow.links())));
        Bench bench = new Bench(scenario, Bench.WIDE);
        bench.send(bench.connect(0, 4), 60);
        bench.run();
        // 5 MB in the first half second, and 1 MB in the next second.
        assertThat(bench.seconds(4, 59)).isCloseTo(1.5, Percentage.withPercentage(3));
    }

    @Test
    void aBrokenLinkPassesNothingAndGoesOnWhenItIsHealed() {
        Bench bench = new Bench(twoClusters(1, 5 * MILLI), Bench.WIDE);
        bench.at(500 * MILLI, () -> bench.network.links().breakDown(new ClusterPair(0, 1)));
        bench.at(2_000 * MILLI, () -> bench.network.links().heal(new ClusterPair(0, 1)));
        bench.send(bench.connect(0, 4), 10);
        bench.runUntil(1_999 * MILLI);
        assertThat(bench.arrived(4)).isEqualTo(4);
        bench.run();
        assertThat(bench.seconds(4, 9)).isCloseTo(2.5 + 0.005, HEADS);
    }

    @Test
    void noAcknowledgementCrossesABrokenLink() {
        NetworkOptions small = new NetworkOptions(
                9000, 50_000, 50 * MILLI, 10, 200_000, 1 << 19, 1 << 17, 1 << 18, 1 << 16, NodeSendLimits.NONE);
        Bench bench = new Bench(twoClusters(10, 5 * MILLI), small);
        bench.at(100 * MILLI, () -> bench.network.links().breakDown(new ClusterPair(1, 0)));
        bench.at(2_000 * MILLI, () -> bench.network.links().heal(new ClusterPair(1, 0)));
        bench.send(bench.connect(0, 4), 100);
        bench.runUntil(200 * MILLI);
        long beforeTheWindowWasFull = bench.arrived(4);
        assertThat(beforeTheWindowWasFull).isLessThan(15);
        bench.runUntil(1_999 * MILLI);
        assertThat(bench.arrived(4)).isEqualTo(beforeTheWindowWasFull);
        bench.run();
        assertThat(bench.arrived(4)).isEqualTo(100);
    }

    @Test
    void messagesWaitBehindBlocksButNotBehindPieces() {
        Bench bench = new Bench(oneCluster(2, 1), Bench.WIDE);
        Connection connection = bench.connect(0, 1);
        bench.send(connection, 100);
        connection.send(new Message.Have(1));
        bench.run();
        // 64 KiB and a block were with the connection, and two segments of 128 KiB at the card.
        assertThat(bench.messageNanos.get(0) / 1e9).isBetween(0.15, 0.4);
        assertThat(bench.seconds(1, 99)).isCloseTo(10, HEADS);
    }

    @Test
    void whatWasSentBeforeTheEndArrives() {
        Bench bench = new Bench(twoClusters(1, 5 * MILLI), Bench.WIDE);
        Connection connection = bench.connect(0, 4);
        connection.send(new Message.Have(1));
        connection.end(100 * MILLI);
        connection.send(new Message.Have(2));
        bench.run();
        assertThat(bench.messageNanos).hasSize(1);
        assertThat(bench.endedBy).containsExactly(0);
        assertThat(bench.agenda.nowNanos()).isEqualTo(105 * MILLI);
    }

    @Test
    void accessAndLanAreSharedByAllNodes() {
        Scenario scenario = Drawings.of(
                links(new double[][] {{0, 100}, {0, 0}}, 0),
                Drawings.withShared(cluster("A", 4), 2e6, POSITIVE_INFINITY, 4e6),
                cluster("B", 4));
        Bench bench = new Bench(scenario, Bench.PLAIN);
        bench.send(bench.connect(0, 4), 10);
        bench.send(bench.connect(1, 5), 10);
        bench.send(bench.connect(2, 3), 10);
        bench.send(bench.connect(3, 2), 10);
        bench.run();
        assertThat(Math.max(bench.seconds(4, 9), bench.seconds(5, 9))).isCloseTo(1, Percentage.withPercentage(2));
        assertThat(Math.max(bench.seconds(2, 9), bench.seconds(3, 9))).isCloseTo(0.5, Percentage.withPercentage(2));
    }
}
