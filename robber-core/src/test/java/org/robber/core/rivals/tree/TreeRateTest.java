package org.robber.core.rivals.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.robber.core.node.Fabric;
import org.robber.core.node.InCoreNetwork;
import org.robber.core.node.InCoreNetwork.Faults;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.strategy.Strategies;
import org.robber.core.topology.BandwidthMap;
import org.robber.core.topology.ClusterBandwidths;
import org.robber.core.topology.Topology;

/** How fast trees are, by the formulas for them. Rates are in bytes per second, and a piece has 1,000 bytes. */
class TreeRateTest {
    private static final int PIECES = 600;

    /** Where a window of requests must be little of the whole: lines of this network serve in the order of requests. */
    private static final int MANY_PIECES = 2000;

    private static final double NANOS_PER_SECOND = 1e9;

    @Test
    void balancedMulticastingReachesNineWhereFpfrPromisesTwelveAndStaysFarBelow() {
        double balanced = rate("balanced", Networks.sc05(), Topology.ofSizes(1, 1, 1));
        double fpfr = rate("fpfr", Networks.sc05(), Topology.ofSizes(1, 1, 1));
        assertThat(balanced).isCloseTo(9, Percentage.withPercentage(3));
        // lines here serve requests in their order and not flows in turn, or it would be 7.5
        assertThat(fpfr).isBetween(5.5, 7.8);
    }

    @Test
    void theFastLinksOfTestCaseOneAreUsedAsPlanned() {
        Topology topology = Topology.ofSizes(4, 4, 4, 4);
        // Halves of a link do not share here what one of them leaves. That and requests that are served in order are no
        // network for trees without a pace: fpfr is held to its rate in the simulator (PublishedRatesTest).
        assertThat(rate(Strategies.byName("balanced", Networks.fast()), Networks.fast(), topology, MANY_PIECES))
                .isCloseTo(16, Percentage.withPercentage(10));
        assertThat(rate("max-bottleneck", Networks.fast(), topology)).isCloseTo(8, Percentage.withPercentage(6));
        assertThat(rate("flat", Networks.fast(), topology)).isCloseTo(3, Percentage.withPercentage(6));
        assertThat(rate("multilayer", Networks.fast(), topology)).isCloseTo(3, Percentage.withPercentage(6));
    }

    @Test
    void theSlowLinksOfTestCaseOneAreUsedAsPlanned() {
        assertThat(rate("balanced", Networks.slow(), Topology.ofSizes(4, 4, 4, 4)))
                .isCloseTo(6.6, Percentage.withPercentage(6));
    }

    @Test
    void parallelConnectionsFillALinkThatOneCardCannot() {
        assertThat(rate("balanced", Networks.local(), Topology.ofSizes(4, 4, 4, 4)))
                .isCloseTo(44.8, Percentage.withPercentage(8));
    }

    @Test
    void aChainTakesOnePieceAndOneDelayMorePerNode() {
        long pieceNanos = 1_000_000_000L;
        long latencyNanos = 500_000_000L;
        int nodes = 20;
        double expected = (PIECES + nodes - 2.0) * pieceNanos + (nodes - 1.0) * latencyNanos;
        double taken = seconds("chain", Topology.ofSizes(nodes), links(pieceNanos, latencyNanos), PIECES);
        assertThat(taken).isCloseTo(expected / NANOS_PER_SECOND, Percentage.withPercentage(1));
    }

    @Test
    void aBinomialTreeIsLimitedByTheRootsChildren() {
        // A card of the root sends each piece four times, to 1, 2, 4 and 8.
        assertThat(seconds("binomial", Topology.ofSizes(16), cards(1_000_000_000L), PIECES))
                .isCloseTo(4.0 * PIECES, Percentage.withPercentage(10));
        // A single piece goes down four levels, passes two cards at each, and may wait at the root behind the others.
        assertThat(seconds("binomial", Topology.ofSizes(16), cards(1_000_000_000L), 1))
                .isBetween(5.0, 11.5);
    }

    @Test
    void withoutTreesTheRootSendsEverythingToEveryone() {
        assertThat(seconds("multitcp", Topology.ofSizes(8), cards(1_000_000_000L), PIECES))
                .isCloseTo(7.0 * PIECES, Percentage.withPercentage(3));
    }

    @Test
    void whereNothingIsKnownLinksAreTakenToBeEqualAndThatIsSaid() {
        MulticastStrategy blind = Strategies.byName("balanced");
        assertThat(blind.remarks()).singleElement().asString().contains("takes all of them to be equal");
        assertThat(Strategies.byName("balanced", Networks.fast()).remarks()).isEmpty();
        assertThat(Strategies.byName("balanced", Networks.fast()).fingerprint())
                .isNotEqualTo(blind.fingerprint())
                .isNotEqualTo(Strategies.byName("balanced", Networks.slow()).fingerprint())
                .startsWith("balanced#")
                .hasSizeLessThan(100);
        assertThat(rate(blind, Networks.fast(), Topology.ofSizes(4, 4, 4, 4), PIECES))
                .isGreaterThan(3);
    }

    private static double rate(String name, BandwidthMap map, Topology topology) {
        return rate(Strategies.byName(name, map), map, topology, PIECES);
    }

    private static double rate(MulticastStrategy strategy, BandwidthMap map, Topology topology, int pieces) {
        ClusterBandwidths network = map.of(topology);
        Fabric fabric = new Fabric() {
            @Override
            public long cardNanos(int rank) {
                int cluster = topology.clusterOf(rank);
                return topology.clusterSize(cluster) == 1 ? pieceNanos(network.up(cluster)) : 0;
            }

            /**
             * Cards of clusters of several nodes carry wide-area traffic only, and here one connection each. Connections do not
             * share here: where a strategy has two for a link, each gets half of it.
             */
            @Override
            public long linkNanos(int fromRank, int toRank) {
                int from = topology.clusterOf(fromRank);
                int to = topology.clusterOf(toRank);
                double card = network.cardUp(from, topology.indexInCluster(fromRank));
                boolean hasTwo =
                        strategy.usesBandwidths() && topology.clusterSize(from) > 1 && topology.clusterSize(to) > 1;
                return from == to ? 0 : pieceNanos(Math.min(card, network.rate(from, to) / (hasTwo ? 2 : 1)));
            }

            @Override
            public long latencyNanos(int fromRank, int toRank) {
                return 0;
            }
        };
        return (double) pieces * InCoreNetwork.PIECE_BYTES / seconds(strategy, topology, fabric, pieces);
    }

    private static long pieceNanos(double bytesPerSecond) {
        return (long) (InCoreNetwork.PIECE_BYTES / bytesPerSecond * NANOS_PER_SECOND);
    }

    private static Fabric links(long pieceNanos, long latencyNanos) {
        return new Fabric() {
            @Override
            public long cardNanos(int rank) {
                return 0;
            }

            @Override
            public long linkNanos(int fromRank, int toRank) {
                return pieceNanos;
            }

            @Override
            public long latencyNanos(int fromRank, int toRank) {
                return latencyNanos;
            }
        };
    }

    private static Fabric cards(long pieceNanos) {
        return new Fabric() {
            @Override
            public long cardNanos(int rank) {
                return pieceNanos;
            }

            @Override
            public long linkNanos(int fromRank, int toRank) {
                return 0;
            }

            @Override
            public long latencyNanos(int fromRank, int toRank) {
                return 0;
            }
        };
    }

    private static double seconds(String name, Topology topology, Fabric fabric, int pieces) {
        return seconds(Strategies.byName(name), topology, fabric, pieces);
    }

    private static double seconds(MulticastStrategy strategy, Topology topology, Fabric fabric, int pieces) {
        InCoreNetwork network = new InCoreNetwork(
                        topology,
                        strategy.planOverlay(topology, 1),
                        pieces,
                        5,
                        1,
                        fabric,
                        Faults.NONE,
                        strategy::createNode)
                .runToTheEnd(10_000_000);
        return IntStream.range(0, topology.size())
                        .mapToLong(network::completedAtNanos)
                        .max()
                        .orElseThrow()
                / NANOS_PER_SECOND;
    }
}
