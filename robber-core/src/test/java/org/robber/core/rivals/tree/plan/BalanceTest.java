package org.robber.core.rivals.tree.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;
import static org.robber.core.rivals.tree.Networks.network;
import static org.robber.core.rivals.tree.Networks.sum;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Lists;
import java.util.List;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.core.random.SeededRandom;
import org.robber.core.topology.BandwidthMap;
import org.robber.core.topology.ClusterBandwidths;
import org.robber.core.topology.Topology;

/** Plans for many clusters whose links all differ: the linear program must end, and soon. */
class BalanceTest {
    /** A tenth of what is allowed. */
    private static final long LITTLE_WORK = TreePackingProgram.MOST_WORK / 10;

    @ParameterizedTest
    @ValueSource(ints = {22, 24, 32})
    void whereLinksAloneLimitThemAllThatReachesTheSlowestClusterIsPacked(int clusters) {
        ClusterBandwidths network = network(evenLinks(clusters).build(), clusters, 1);
        ImmutableList<ClusterTree> candidates = ClusterTrees.fpfr(network, 0);
        ImmutableList<ClusterTree> trees = Balance.of(network, candidates, LITTLE_WORK);
        assertFits(network, trees);
        assertThat(sum(trees) / sum(candidates)).isGreaterThan(1 - 1e-6);
    }

    @ParameterizedTest
    @ValueSource(ints = {22, 24, 32})
    void whereAccessLinesLimitThemTooTheOrderOfTheTreesIsAllTheSame(int clusters) {
        ClusterBandwidths network = network(behindAccessLines(clusters, 5), clusters, 1);
        ImmutableList<ClusterTree> candidates = ClusterTrees.fpfr(network, 0);
        ImmutableList<ClusterTree> trees = Balance.of(network, candidates, LITTLE_WORK);
        assertFits(network, trees);
        ImmutableList<ClusterTree> reversed = ImmutableList.copyOf(Lists.reverse(candidates));
        assertThat(sum(Balance.of(network, reversed, LITTLE_WORK)) / sum(trees)).isCloseTo(1, within(1e-6));
    }

    /** Where many links are equal in part, many limits meet in one point. */
    @Test
    void ratesInWholeMegabytesAreNoHarder() {
        SeededRandom random = new SeededRandom(1);
        ClusterBandwidths network =
                network(links(32, () -> 1e6 * (1 + random.nextInt(100))).build(), 32, 1);
        ImmutableList<ClusterTree> candidates = ClusterTrees.fpfr(network, 0);
        ImmutableList<ClusterTree> trees = Balance.of(network, candidates, LITTLE_WORK);
        assertFits(network, trees);
        assertThat(sum(trees) / sum(candidates)).isGreaterThan(1 - 1e-6);
    }

    @Test
    void whatTakesTooLongFailsAndSaysWhatElseToTake() {
        ClusterBandwidths network = network(links(12, 7).build(), 12, 1);
        ImmutableList<ClusterTree> candidates = ClusterTrees.fpfr(network, 0);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Balance.of(network, candidates, 1000))
                .withMessageContaining("not solved after 1000 numbers")
                .withMessageContaining("such as robber");
    }

    @Test
    void whatTakesTooMuchMemoryIsRefusedBefore() {
        ClusterBandwidths network = network(links(80, 7).build(), 80, 1);
        ImmutableList<ClusterTree> candidates = ClusterTrees.fpfr(network, 0);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Balance.of(network, candidates))
                .withMessageContaining("80 clusters whose links differ are too many to plan for")
                .withMessageContaining("such as robber");
    }

    private static void assertFits(ClusterBandwidths network, ImmutableList<ClusterTree> trees) {
        SharedLimits limits = SharedLimits.of(network, trees);
        double[][] uses = limits.uses();
        for (int row = 0; row < uses.length; row++) {
            double used = 0;
            for (int tree = 0; tree < trees.size(); tree++) {
                used += uses[row][tree] * trees.get(tree).rate();
            }
            assertThat(used).isLessThanOrEqualTo(limits.most()[row] * (1 + 1e-9));
        }
    }

    private static BandwidthMap behindAccessLines(int clusters, long seed) {
        SeededRandom random = new SeededRandom(seed);
        BandwidthMap.Builder map = links(clusters, seed);
        for (int cluster = 0; cluster < clusters; cluster++) {
            map.cluster(
                    Topology.letters(cluster),
                    1e7 * clusters * (0.2 + random.nextDouble() / 2),
                    Double.POSITIVE_INFINITY,
                    List.of(),
                    List.of());
        }
        return map.build();
    }

    private static BandwidthMap.Builder evenLinks(int clusters) {
        SeededRandom random = new SeededRandom(7);
        return links(clusters, () -> 1e6 * (1 + 99 * random.nextDouble()));
    }

    private static BandwidthMap.Builder links(int clusters, long seed) {
        SeededRandom random = new SeededRandom(seed);
        return links(clusters, () -> rate(random));
    }

    private static BandwidthMap.Builder links(int clusters, DoubleSupplier rate) {
        BandwidthMap.Builder map = BandwidthMap.builder();
        for (int from = 0; from < clusters; from++) {
            for (int to = 0; to < clusters; to++) {
                if (from != to) {
                    map.link(Topology.letters(from), Topology.letters(to), rate.getAsDouble());
                }
            }
        }
        return map;
    }

    /** Between 0.01 and 100 MB/s, slow ones as often as fast ones. */
    private static double rate(SeededRandom random) {
        return Math.pow(10, 4 + 4 * random.nextInt(1_000_000) / 1e6);
    }
}
