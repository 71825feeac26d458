package org.robber.emulation.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;
import org.robber.core.strategy.Strategies;
import org.robber.emulation.bound.CollectiveBound;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.ClusterSpec;
import org.robber.emulation.scenario.Collective;
import org.robber.emulation.scenario.Origin;
import org.robber.emulation.scenario.Phase;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.scenario.ScenarioFamily;
import org.robber.emulation.simulator.fault.Fault;
import org.robber.emulation.simulator.fault.FaultPlan;

/** Simulated nodes that combine vectors. */
class ReductionsTest {
    private static final int PIECE_BYTES = 4 << 10;
    private static final List<String> STRATEGIES = List.of("robber", "mob", "robber:published", "bittorrent");

    /** Each combines in an order of its own. */
    private static final List<String> TREES = List.of("flat", "binomial", "chain");

    /** Networks, costs, windows, strategies and seeds change; clusters do not. {@code -Drobber.scale=50} runs 1,000 timings of each reduction. */
    @ParameterizedTest
    @EnumSource(
            value = Collective.class,
            names = {"REDUCE", "ALLREDUCE", "REDUCESCATTER", "SCAN", "EXSCAN"})
    void resultsHaveTheSameBitsInEveryTiming(Collective collective) {
        Scenario clusters = ScenarioFamily.steady().draw(11);
        long vectorBytes = 60 * PIECE_BYTES - 3;
        Map<String, Long> expected = results(clusters, collective, "robber", vectorBytes, new SeededRandom(1));
        assertThat(expected).isNotEmpty();
        SeededRuns.run(20, random -> {
            Scenario timing = withNetworkOf(ScenarioFamily.steady(), clusters, random);
            String strategy = STRATEGIES.get(random.nextInt(STRATEGIES.size()));
            assertThat(results(timing, collective, strategy, vectorBytes, random))
                    .isEqualTo(expected);
        });
        for (String tree : TREES) {
            Map<String, Long> ofTree = results(clusters, collective, tree, vectorBytes, new SeededRandom(1));
            assertThat(ofTree).hasSameSizeAs(expected);
            SeededRuns.run(5, random -> {
                Scenario timing = withNetworkOf(ScenarioFamily.steady(), clusters, random);
                assertThat(results(timing, collective, tree, vectorBytes, random))
                        .as(tree)
                        .isEqualTo(ofTree);
            });
        }
    }

    /** The same clusters with the links of another scenario that has as many clusters. */
    private static Scenario withNetworkOf(ScenarioFamily family, Scenario clusters, SeededRandom random) {
        Scenario other = family.draw(random.nextLong());
        while (other.clusters().size() != clusters.clusters().size()) {
            other = family.draw(random.nextLong());
        }
        ImmutableList<Phase> phases = other.phases();
        return new Scenario("other", "", Origin.GENERATED, clusters.root(), clusters.clusters(), phases);
    }

    private static Map<String, Long> results(
            Scenario scenario, Collective collective, String strategy, long vectorBytes, SeededRandom random) {
        Map<String, Long> results = new TreeMap<>();
        NodeCosts costs = new NodeCosts(
                random.nextInt(50_000), random.nextInt(20), random.nextInt(20), 0, 1 + random.nextInt(3), 1);
        RunResult result = Simulation.run(
                scenario,
                options(collective, strategy, random.nextLong(), vectorBytes)
                        .withRequestWindow(1 + random.nextInt(6))
                        .withCosts(random.nextBoolean() ? costs : NodeCosts.NONE)
                        .withResultSink((rank, chunk, bits) -> results.put(rank + "/" + chunk, bits)));
        assertThat(result.problem()).isEmpty();
        return results;
    }

    private static SimulationOptions options(Collective collective, String strategy, long seed, long vectorBytes) {
        return SimulationOptions.of(Strategies.byName(strategy), seed, vectorBytes)
                .withCollective(collective)
                .withPieceBytes(PIECE_BYTES);
    }

    /** Between two clusters there are no relays, and one copy is enough. */
    @Test
    void allReduceBringsLessThanTwoCopiesIntoAClusterAndOutOfIt() {
        SeededRuns.run(10, random -> {
            int clusters = 2 + random.nextInt(3);
            Scenario scenario = Drawings.of(
                    Drawings.links(rates(clusters, random), 10 * Drawings.MILLI),
                    IntStream.range(0, clusters)
                            .mapToObj(cluster -> Drawings.cluster("C" + cluster, 4))
                            .toArray(ClusterSpec[]::new));
            long vectorBytes = 480 * PIECE_BYTES;
            RunResult result =
                    Simulation.run(scenario, options(Collective.ALLREDUCE, "robber", random.nextLong(), vectorBytes));
            assertThat(result.problem()).isEmpty();
            double most = clusters == 2 ? 1.02 : 2;
            double left = 0;
            for (int cluster = 0; cluster < clusters; cluster++) {
                assertThat(result.wanCopies(cluster)).isLessThanOrEqualTo(most);
                int from = cluster;
                left += result.stolenBytes().entrySet().stream()
                        .filter(entry -> entry.getKey().from() == from)
                        .mapToLong(Map.Entry::getValue)
                        .sum();
            }
            // A cluster with fast lines may pass on results for others.
            assertThat(left / vectorBytes / clusters).isLessThanOrEqualTo(most);
        });
    }

    /** Over direct links 1.5 copies enter each cluster, and 65 % of the bound is the most. */
    @Test
    void allReducePaysForItsSpeedWithFewCopies() {
        Scenario scenario = Drawings.testCaseOne(4);
        RunResult result = large(scenario, Collective.ALLREDUCE, 150_000_000);
        assertThat(shareOfBound(scenario, Collective.ALLREDUCE, result)).isGreaterThan(0.7);
        for (int cluster = 0; cluster < 4; cluster++) {
            assertThat(result.wanCopies(cluster)).isLessThan(1.7);
        }
    }

    /** Over direct links alone it would be 36 %. */
    @ParameterizedTest
    @CsvSource({"REDUCE,0.75", "REDUCESCATTER,0.8", "SCAN,0.48"})
    void idleLinesRelayWhatIsCombinedElsewhere(Collective collective, double share) {
        Scenario scenario = Drawings.testCaseOne(4);
        RunResult result = large(scenario, collective, 150_000_000);
        assertThat(shareOfBound(scenario, collective, result)).isGreaterThan(share);
    }

    /** If lines that wait for products got relays, it would be a copy more. Without relays it is 1, 0.88 and 1.75. */
    @ParameterizedTest
    @CsvSource({"REDUCE,1.1", "REDUCESCATTER,1.1", "ALLREDUCE,1.8"})
    void littleIsRelayedAmongEqualLines(Collective collective, double copies) {
        double[][] rates = new double[8][8];
        for (int from = 0; from < 8; from++) {
            Arrays.fill(rates[from], 0, from, 10);
        }
        Scenario scenario = Drawings.of(
                Drawings.links(rates, 10 * Drawings.MILLI),
                IntStream.range(0, 8)
                        .mapToObj(cluster -> Drawings.cluster("C" + cluster, 4))
                        .toArray(ClusterSpec[]::new));
        RunResult result = large(scenario, collective, 150_000_000);
        for (int cluster = 0; cluster < 8; cluster++) {
            assertThat(result.wanCopies(cluster)).isLessThan(copies);
        }
    }

    private static RunResult large(Scenario scenario, Collective collective, long vectorBytes) {
        RunResult result = Simulation.run(
                scenario,
                SimulationOptions.of(Strategies.byName("robber"), 1, vectorBytes)
                        .withCollective(collective)
                        .withPieceBytes(128 << 10));
        assertThat(result.problem()).isEmpty();
        return result;
    }

    private static double shareOfBound(Scenario scenario, Collective collective, RunResult result) {
        return CollectiveBound.of(scenario, collective, result.dataBytes()).seconds() / (result.nanos() / 1e9);
    }

    private static double[][] rates(int clusters, SeededRandom random) {
        double[][] rates = new double[clusters][clusters];
        for (int from = 0; from < clusters; from++) {
            for (int to = 0; to < from; to++) {
                rates[from][to] = 1 + random.nextInt(10);
            }
        }
        return rates;
    }

    @Test
    void whatADeadNodeContributesIsNamed() {
        Scenario scenario = Drawings.testCaseOne(2);
        FaultPlan death = new FaultPlan(ImmutableList.of(new Fault.Crash(20 * Drawings.MILLI, 3)), 0, 200_000_000);
        RunResult result = Simulation.run(
                scenario,
                options(Collective.ALLREDUCE, "robber", 1, 400 * PIECE_BYTES).withFaults(death));
        assertThat(result.problem())
                .startsWith(
                        "B-1 (rank 3) died as planned; 7 nodes ended without pieces that cannot come: A-0 (rank 0) lacks ")
                .hasSizeLessThan(250);
    }

    @Test
    void combiningTakesProcessorTime() {
        Scenario scenario = Drawings.testCaseOne(2);
        NodeCosts slow = new NodeCosts(0, 0, 1_000, 0, 1, 1);
        SimulationOptions options = options(Collective.REDUCE, "robber", 1, 400 * PIECE_BYTES);
        RunResult free = Simulation.run(scenario, options);
        RunResult paid = Simulation.run(scenario, options.withCosts(slow));
        assertThat(free.cpuNanos()).isEqualTo(-1);
        // All pieces are sent once, and combined once.
        long sentBytes = paid.nodes().stream()
                .mapToLong(node -> node.localBytes() + node.outsideBytes())
                .sum();
        assertThat(paid.cpuNanos()).isGreaterThan(1_900 * sentBytes);
    }

    @Test
    void vectorsMayBeEmpty() {
        for (Collective collective : Collective.values()) {
            RunResult result = Simulation.run(Drawings.testCaseOne(1), options(collective, "robber", 1, 0));
            assertThat(result.problem()).as("%s", collective).isEmpty();
            assertThat(result.stolenBytes()).doesNotContainValue(1L);
            assertThat(result.stolenBytes().get(new ClusterPair(0, 1))).isZero();
        }
    }
}
