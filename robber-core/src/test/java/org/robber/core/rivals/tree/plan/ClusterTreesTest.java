package org.robber.core.rivals.tree.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;
import static org.robber.core.rivals.tree.Networks.network;
import static org.robber.core.rivals.tree.Networks.sum;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.node.StrategyOptions;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;
import org.robber.core.rivals.tree.BalancedStrategy;
import org.robber.core.rivals.tree.FpfrStrategy;
import org.robber.core.rivals.tree.MaxBottleneckStrategy;
import org.robber.core.rivals.tree.Networks;
import org.robber.core.topology.BandwidthMap;
import org.robber.core.topology.ClusterBandwidths;
import org.robber.core.topology.Topology;

/** The published plans, figure by figure. */
class ClusterTreesTest {

    @Test
    void fpfrFindsTheTreesOfTheExampleAndPromisesTwelve() {
        List<ClusterTree> trees = ClusterTrees.fpfr(network(Networks.sc05(), 3, 1), 0);
        assertThat(trees.stream().map(tree -> Arrays.toString(tree.parents()) + " " + tree.rate()))
                .containsExactly("[-1, 0, 1] 4.0", "[-1, 0, 0] 6.0", "[-1, 2, 0] 2.0");
    }

    @Test
    void balancedMulticastingReachesNineWithFourOneAndFour() {
        ClusterBandwidths network = network(Networks.sc05(), 3, 1);
        List<ClusterTree> trees = Balance.of(network, ClusterTrees.fpfr(network, 0));
        assertThat(sum(trees)).isCloseTo(9, within(1e-9));
        assertThat(trees).hasSize(3);
        assertThat(trees.get(0).rate()).isCloseTo(4, within(1e-9));
        assertThat(trees.get(1).rate()).isCloseTo(1, within(1e-9));
        assertThat(trees.get(2).rate()).isCloseTo(4, within(1e-9));
    }

    @Test
    void theTreesOfFpfrGetSevenAndAHalfOfTheTwelveThatWerePromised() {
        ClusterBandwidths network = network(Networks.sc05(), 3, 1);
        assertThat(Contention.of(network, ClusterTrees.fpfr(network, 0)).stream()
                        .map(ClusterTree::rate))
                .containsExactly(2.5, 2.5, 2.5);
    }

    @Test
    void whereOnlyLinksLimitThemTheTreesOfFpfrGetWhatWasPromised() {
        for (BandwidthMap map : List.of(Networks.fast(), Networks.slow())) {
            ClusterBandwidths network = network(map, 4, 16);
            ImmutableList<ClusterTree> promised = ClusterTrees.fpfr(network, 0);
            assertThat(sum(Contention.of(network, promised))).isCloseTo(sum(promised), within(1e-9));
        }
    }

    @Test
    void whateverTheNetworkTreesThatContendFitAndEachMeetsALimit() {
        SeededRuns.run(100, random -> {
            int clusters = 2 + random.nextInt(4);
            ClusterBandwidths network = network(randomMap(clusters, random), clusters, 3);
            ImmutableList<ClusterTree> trees = Contention.of(network, ClusterTrees.fpfr(network, 0));
            SharedLimits limits = SharedLimits.of(network, trees);
            boolean[] isLimited = new boolean[trees.size()];
            for (int row = 0; row < limits.most().length; row++) {
                double used = 0;
                for (int tree = 0; tree < trees.size(); tree++) {
                    used += limits.uses()[row][tree] * trees.get(tree).rate();
                }
                double most = limits.most()[row];
                assertThat(used).isLessThanOrEqualTo(most * (1 + 1e-9));
                for (int tree = 0; tree < trees.size(); tree++) {
                    isLimited[tree] |= used >= most * (1 - 1e-6) && limits.uses()[row][tree] > 0;
                }
            }
            assertThat(isLimited).doesNotContain(false);
        });
    }

    @Test
    void aClusterThatReceivesNothingMakesEveryPlanInfeasible() {
        ClusterBandwidths network = network(
                Networks.symmetric("A-B=10 A-C=8 B-C=4")
                        .cluster("C", 10, 0, List.of(), List.of())
                        .build(),
                3,
                1);
        ImmutableList<ClusterTree> trees = ClusterTrees.fpfr(network, 0);
        String message = "cluster C receives nothing";
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Balance.of(network, trees))
                .withMessageContaining(message);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Contention.of(network, trees))
                .withMessageContaining(message);
    }

    @Test
    void testCaseOneIsPackedCompletely() {
        ClusterBandwidths fast = network(Networks.fast(), 4, 16);
        assertThat(ClusterTrees.fpfr(fast, 0)).hasSize(6);
        assertThat(sum(Balance.of(fast, ClusterTrees.fpfr(fast, 0)))).isCloseTo(16, within(1e-9));
        ClusterBandwidths slow = network(Networks.slow(), 4, 16);
        assertThat(ClusterTrees.fpfr(slow, 0)).hasSize(4);
        assertThat(sum(Balance.of(slow, ClusterTrees.fpfr(slow, 0)))).isCloseTo(6.6, within(1e-9));
    }

    @Test
    void testCaseTwoGetsElevenOfThirteen() {
        ClusterBandwidths network = network(Networks.slowNodes(), 6, 16);
        assertThat(sum(Balance.of(network, ClusterTrees.fpfr(network, 0)))).isCloseTo(11, within(1e-9));
    }

    /** The theoretical maxima of {@code emulation/scenarios}, computed there in another way. */
    @Test
    void allTreesTogetherReachTheTheoreticalMaximum() {
        assertThat(exact(network(Networks.sc05(), 3, 1))).isCloseTo(9, within(1e-6));
        assertThat(exact(network(Networks.fast(), 4, 16))).isCloseTo(16, within(1e-6));
        assertThat(exact(network(Networks.slow(), 4, 16))).isCloseTo(6.6, within(1e-6));
        assertThat(exact(network(Networks.slowNodes(), 6, 16))).isCloseTo(13, within(1e-6));
        assertThat(exact(network(Networks.local(), 4, 4))).isCloseTo(44.8, within(1e-6));
    }

    private static double exact(ClusterBandwidths network) {
        return sum(Balance.of(network, ClusterTrees.all(network, 0)));
    }

    @Test
    void thereAreAsManyTreesAsCayleySays() {
        assertThat(ClusterTrees.all(BandwidthMap.unknown().of(Topology.ofSizes(1, 1, 1, 1)), 2))
                .hasSize(16);
        assertThat(ClusterTrees.all(BandwidthMap.unknown().of(Topology.ofSizes(1, 1, 1, 1, 1)), 0))
                .hasSize(125);
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> ClusterTrees.all(BandwidthMap.unknown().of(Topology.ofSizes(1, 1, 1, 1, 1, 1, 1, 1)), 0));
    }

    /** The published rates are those of the links alone: 8, 3 and 8. Here the access line of the example counts, too. */
    @Test
    void theMaximumBottleneckTreeGrowsByTheBestLink() {
        assertThat(ClusterTrees.maxBottleneck(network(Networks.fast(), 4, 16), 0)
                        .rate())
                .isEqualTo(8);
        assertThat(ClusterTrees.maxBottleneck(network(Networks.slow(), 4, 16), 0)
                        .rate())
                .isEqualTo(3);
        ClusterTree tree = ClusterTrees.maxBottleneck(network(Networks.sc05(), 3, 1), 0);
        assertThat(tree.parents()).containsExactly(-1, 0, 0);
        assertThat(tree.rate()).isEqualTo(5);
    }

    @Test
    void theFlatTreeIsAsFastAsTheSlowestLinkOfTheRoot() {
        assertThat(ClusterTrees.flat(network(Networks.fast(), 4, 16), 0).rate()).isEqualTo(3);
    }

    @Test
    void whateverTheNetworkRatesFitAndAreNoLessThanOfAnyOneTree() {
        SeededRuns.run(100, random -> {
            int clusters = 2 + random.nextInt(4);
            BandwidthMap map = randomMap(clusters, random);
            ClusterBandwidths network = network(map, clusters, 3);
            ImmutableList<ClusterTree> fpfr = ClusterTrees.fpfr(network, 0);
            assertThat(fpfr.size()).isLessThanOrEqualTo((clusters - 1) * (clusters - 1));
            ClusterTree flat = ClusterTrees.flat(network, 0);
            ClusterTree bottleneck = ClusterTrees.maxBottleneck(network, 0);
            ImmutableList<ClusterTree> safe = ImmutableList.<ClusterTree>builder()
                    .addAll(fpfr)
                    .add(flat)
                    .add(bottleneck)
                    .build();
            double best = exact(network);
            double rate = sum(Balance.of(network, safe));
            assertThat(rate).isLessThanOrEqualTo(best * (1 + 1e-9));
            assertThat(rate).isGreaterThanOrEqualTo(Math.max(flat.rate(), bottleneck.rate()) * (1 - 1e-9));
            assertFits(network, Balance.of(network, safe));
        });
    }

    private static void assertFits(ClusterBandwidths network, List<ClusterTree> trees) {
        for (int cluster = 0; cluster < network.clusterCount(); cluster++) {
            double sent = 0;
            for (int to = 0; to < network.clusterCount(); to++) {
                double used = 0;
                for (ClusterTree tree : trees) {
                    used += tree.parents()[to] == cluster ? tree.rate() : 0;
                }
                assertThat(used).isLessThanOrEqualTo(network.rate(cluster, to) * (1 + 1e-9));
                sent += used;
            }
            assertThat(sent).isLessThanOrEqualTo(network.up(cluster) * (1 + 1e-9));
        }
        assertThat(sum(trees)).isLessThanOrEqualTo(network.down(1) * (1 + 1e-9));
    }

    private static BandwidthMap randomMap(int clusters, SeededRandom random) {
        BandwidthMap.Builder map = BandwidthMap.builder();
        for (int from = 0; from < clusters; from++) {
            for (int to = 0; to < clusters; to++) {
                if (from != to) {
                    map.link(Topology.letters(from), Topology.letters(to), 0.1 * (1 + random.nextInt(100)));
                }
            }
            if (random.nextBoolean()) {
                map.cluster(
                        Topology.letters(from), 1 + random.nextInt(20), 1 + random.nextInt(20), List.of(), List.of());
            }
        }
        return map.build();
    }

    @Test
    void aClusterThatNothingReachesIsNamed() {
        BandwidthMap map = Networks.symmetric("A-B=3 A-C=0 B-C=0").build();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClusterTrees.fpfr(network(map, 3, 1), 0))
                .withMessageContaining("nothing reaches cluster C from A");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClusterTrees.maxBottleneck(network(map, 3, 1), 0))
                .withMessageContaining("nothing reaches cluster C from A");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClusterTrees.all(network(map, 3, 1), 0))
                .withMessageContaining("nothing reaches cluster C from A");
    }

    @ParameterizedTest
    @ValueSource(strings = {"balanced", "balanced:exact", "balanced:safe", "fpfr", "max-bottleneck"})
    void aClusterThatLetsNothingThroughIsNamed(String strategy) {
        BandwidthMap deaf = Networks.symmetric("A-B=3")
                .cluster("B", 1, 0, List.of(), List.of())
                .build();
        MulticastStrategy planned = planned(strategy, deaf);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> planned.planOverlay(Topology.ofSizes(2, 2), 1))
                .withMessageContaining("cluster B receives nothing")
                .withMessageContaining("such as robber");
        BandwidthMap dumb = Networks.symmetric("A-B=3")
                .cluster("A", 0, 1, List.of(), List.of())
                .build();
        MulticastStrategy fromDumb = planned(strategy, dumb);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> fromDumb.planOverlay(Topology.ofSizes(2, 2), 1))
                .withMessageContaining("cluster A sends nothing");
    }

    private static MulticastStrategy planned(String name, BandwidthMap map) {
        ImmutableSortedSet<String> flags = name.contains(":")
                ? ImmutableSortedSet.of(name.substring(name.indexOf(':') + 1))
                : ImmutableSortedSet.of();
        MulticastStrategy strategy = name.startsWith("balanced")
                ? new BalancedStrategy()
                : name.equals("fpfr") ? new FpfrStrategy() : new MaxBottleneckStrategy();
        return strategy.with(new StrategyOptions(flags, map));
    }
}
