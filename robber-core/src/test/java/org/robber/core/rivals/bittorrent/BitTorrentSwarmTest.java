package org.robber.core.rivals.bittorrent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.robber.core.node.Fabric;
import org.robber.core.node.InCoreNetwork;
import org.robber.core.node.InCoreNetwork.Faults;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.strategy.Strategies;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;

/** What comes of it in a network. */
class BitTorrentSwarmTest {
    private static final int PIECES = 400;
    private static final Topology TOPOLOGY = Topology.ofSizes(16, 16, 16, 16);

    /** The published reason for its low rate: it sends a piece over the lines between clusters again and again. */
    @Test
    void piecesEnterAClusterMoreThanOnceAndLessOftenWithBiasedNeighbours() {
        double blind = copiesPerCluster("bittorrent");
        double biased = copiesPerCluster("bittorrent:biased");
        assertThat(blind).isGreaterThan(4);
        assertThat(biased).isBetween(1.0, blind / 2);
    }

    @Test
    void rarestFirstAndTheEndGameDoNotSlowItDown() {
        long plainNanos = lastNanos(network("bittorrent"));
        assertThat(lastNanos(network("bittorrent:rarest,endgame"))).isLessThan((long) (plainNanos * 1.1));
    }

    /** Five peers each: four that give most, and the one at random, are all there are; nobody is ever choked for long. */
    @Test
    void nodesHaveFivePeersOfAnyCluster() {
        Overlay overlay = Strategies.byName("bittorrent").planOverlay(TOPOLOGY, 5);
        int local = IntStream.range(0, 64)
                .map(rank -> overlay.localPeers(rank).length)
                .sum();
        int all = IntStream.range(0, 64).map(rank -> overlay.peers(rank).length).sum();
        assertThat(IntStream.range(0, 64))
                .allMatch(rank -> overlay.peers(rank).length >= 5 && overlay.peers(rank).length <= 7);
        assertThat((double) local / all).isBetween(0.1, 0.4);
    }

    private static double copiesPerCluster(String name) {
        InCoreNetwork network = network(name);
        return IntStream.range(1, 4)
                .mapToDouble(cluster ->
                        Arrays.stream(network.arrivals(cluster)).average().orElseThrow())
                .average()
                .orElseThrow();
    }

    private static long lastNanos(InCoreNetwork network) {
        return IntStream.range(0, TOPOLOGY.size())
                .mapToLong(network::completedAtNanos)
                .max()
                .orElseThrow();
    }

    private static InCoreNetwork network(String name) {
        MulticastStrategy strategy = Strategies.byName(name);
        return new InCoreNetwork(
                        TOPOLOGY,
                        strategy.planOverlay(TOPOLOGY, 5),
                        PIECES,
                        5,
                        5,
                        Fabric.uniform(1_000_000, 5_000_000),
                        Faults.NONE,
                        strategy::createNode)
                .runToTheEnd(10_000_000);
    }
}
