package org.robber.core.rivals.tree.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;
import org.robber.core.rivals.tree.Networks;
import org.robber.core.topology.BandwidthMap;
import org.robber.core.topology.ClusterBandwidths;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;

/** Which nodes the trees lead over. */
class ForestTest {

    @Test
    void theChainLeadsThroughClusterAfterCluster() {
        Topology topology = Topology.of(List.of("A", "B", "A", "B"));
        assertThat(NodeTrees.chain(topology)).containsExactly(-1, 2, 0, 1);
    }

    @Test
    void theBinomialTreeClearsTheLowestBit() {
        assertThat(NodeTrees.binomial(Topology.ofSizes(3, 5))).containsExactly(-1, 0, 0, 2, 0, 4, 4, 6);
        Stripe stripe =
                Forest.of(NodeTrees.binomial(Topology.ofSizes(8))).stripes().get(0);
        assertThat(stripe.children(0)).containsExactly(4, 2, 1);
    }

    @Test
    void theFlatTreeSendsToOneNodePerClusterAndIsBinomialInside() {
        assertThat(NodeTrees.flat(Topology.ofSizes(4, 4))).containsExactly(-1, 0, 0, 2, 0, 4, 4, 6);
        assertThat(NodeTrees.flat(Topology.ofSizes(1, 3, 1))).containsExactly(-1, 0, 1, 1, 0);
    }

    @Test
    void theMultilayerTreeHasALevelPerPartOfTheName() {
        Topology flat = Topology.ofSizes(5, 7, 1, 4);
        assertThat(NodeTrees.multilayer(flat)).isEqualTo(NodeTrees.flat(flat));
        Topology layered = Topology.of(List.of("e/p", "e/p", "e/q", "e/r", "a/x", "a/y", "a/y", "a/z/1"));
        assertThat(NodeTrees.multilayer(layered)).containsExactly(-1, 0, 0, 0, 0, 4, 5, 4);
        Topology oneSite = Topology.of(List.of("e/p", "e/q", "e/r", "e/s"));
        assertThat(NodeTrees.multilayer(oneSite)).containsExactly(-1, 0, 0, 0);
    }

    @Test
    void whatIsNoTreeIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Stripe(new int[] {-1, 2, 1}, 1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Stripe(new int[] {-1, -1}, 1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Stripe(new int[] {-1, 0}, 0, 0));
    }

    @Test
    void anotherRootTurnsTheEdgesOnTheWayToIt() {
        Stripe turned = new Stripe(new int[] {-1, 0, 1, 1, 0}, 1, 0).rootedAt(2);
        assertThat(turned.parent(2)).isEqualTo(Stripe.NONE);
        assertThat(turned.parent(1)).isEqualTo(2);
        assertThat(turned.parent(0)).isEqualTo(1);
        assertThat(turned.children(1)).containsExactly(0, 3);
    }

    @Test
    void everybodyIsConnectedToParentAndGrandparent() {
        Topology topology = Topology.ofSizes(5);
        Overlay overlay = Forest.of(NodeTrees.chain(topology)).overlay(topology);
        assertThat(overlay.peers(2)).containsExactly(0, 1, 3, 4);
        assertThat(overlay.peers(0)).containsExactly(1, 2);
    }

    @Test
    void piecesAreCutInProportionToTheShares() {
        Topology topology = Topology.ofSizes(1, 1, 1);
        ClusterBandwidths network = Networks.sc05().of(topology);
        Forest forest = HostTrees.of(topology, network, ClusterTrees.fpfr(network, 0), false);
        assertThat(forest.firstPieces(12)).containsExactly(0, 4, 10, 12);
        assertThat(forest.firstPieces(0)).containsExactly(0, 0, 0, 0);
        assertThat(forest.firstPieces(1)).endsWith(1);
    }

    /** 44.8 MB/s between clusters of cards of 11.2 MB/s take four connections, each with a quarter. */
    @Test
    void aLinkGetsAsManyConnectionsAsCardsAreNeededToFillIt() {
        Topology topology = Topology.ofSizes(4, 4, 4, 4);
        ClusterBandwidths network = Networks.local().of(topology);
        Forest forest = HostTrees.of(topology, network, Balance.of(network, ClusterTrees.fpfr(network, 0)), true);
        assertThat(forest.stripes()).hasSize(4);
        assertThat(forest.stripes())
                .allSatisfy(stripe -> assertThat(stripe.bytesPerSecond()).isCloseTo(11.2, within(1e-9)));
        assertThat(forest.stripes().stream().map(stripe -> entries(topology, stripe, 1)))
                .doesNotHaveDuplicates();
        assertThat(wideAreaLoad(topology, forest))
                .allSatisfy((rank, load) -> assertThat(load).isLessThanOrEqualTo(11.2 + 1e-9));
    }

    @Test
    void aLinkHasTwoConnectionsAtLeastWhereThereAreTwoNodes() {
        Topology topology = Topology.ofSizes(3, 2, 1);
        ClusterBandwidths network = Networks.sc05().of(topology);
        Forest forest = HostTrees.of(topology, network, Balance.of(network, ClusterTrees.fpfr(network, 0)), true);
        assertThat(forest.stripes().stream()
                        .map(stripe -> entries(topology, stripe, 1))
                        .distinct())
                .hasSize(2);
        assertThat(forest.stripes().stream().mapToDouble(Stripe::bytesPerSecond).sum())
                .isCloseTo(9, within(1e-9));
    }

    @Test
    void slowCardsAreSparedWhereThereAreOthers() {
        Topology topology = Topology.ofSizes(16, 16, 16, 16, 16, 16);
        ClusterBandwidths network = Networks.slowNodes().of(topology);
        Forest forest = HostTrees.of(topology, network, Balance.of(network, ClusterTrees.fpfr(network, 0)), true);
        assertThat(wideAreaLoad(topology, forest).keySet()).allMatch(rank -> topology.indexInCluster(rank) < 12);
    }

    @Test
    void whateverTheNetworkEveryStripeEntersEveryClusterOnceAndLeadsThroughItInAChain() {
        SeededRuns.run(100, random -> {
            int[] sizes = new int[1 + random.nextInt(5)];
            Arrays.setAll(sizes, cluster -> 1 + random.nextInt(8));
            Topology topology = Topology.ofSizes(sizes);
            ClusterBandwidths network = randomMap(sizes, random).of(topology);
            Forest forest = HostTrees.of(topology, network, Balance.of(network, ClusterTrees.fpfr(network, 0)), true);
            for (Stripe stripe : forest.stripes()) {
                for (int cluster = 1; cluster < sizes.length; cluster++) {
                    assertThat(entries(topology, stripe, cluster)).hasSize(1);
                }
                for (int rank = 0; rank < topology.size(); rank++) {
                    int me = rank;
                    assertThat(Arrays.stream(stripe.children(rank))
                                    .filter(child -> topology.sameCluster(me, child))
                                    .count())
                            .isLessThanOrEqualTo(1);
                }
            }
        });
    }

    /** What each card sends and receives over the wide area, by rank. */
    private static Map<Integer, Double> wideAreaLoad(Topology topology, Forest forest) {
        TreeMap<Integer, Double> load = new TreeMap<>();
        for (Stripe stripe : forest.stripes()) {
            for (int rank = 0; rank < topology.size(); rank++) {
                int parent = stripe.parent(rank);
                if (parent != Stripe.NONE && !topology.sameCluster(parent, rank)) {
                    load.merge(parent, stripe.share(), Double::sum);
                }
            }
        }
        return load;
    }

    private static List<Integer> entries(Topology topology, Stripe stripe, int cluster) {
        return IntStream.range(0, topology.clusterSize(cluster))
                .map(index -> topology.member(cluster, index))
                .filter(rank -> !topology.sameCluster(rank, stripe.parent(rank)))
                .boxed()
                .toList();
    }

    private static BandwidthMap randomMap(int[] sizes, SeededRandom random) {
        BandwidthMap.Builder map = BandwidthMap.builder();
        for (int from = 0; from < sizes.length; from++) {
            String name = Topology.letters(from);
            for (int to = 0; to < sizes.length; to++) {
                if (from != to) {
                    map.link(name, Topology.letters(to), 1 + random.nextInt(100));
                }
            }
            Double[] cards = new Double[sizes[from]];
            Arrays.setAll(cards, index -> 1.0 + random.nextInt(30));
            map.cluster(name, 10 + random.nextInt(200), 10 + random.nextInt(200), List.of(cards), List.of(cards));
        }
        return map.build();
    }
}
