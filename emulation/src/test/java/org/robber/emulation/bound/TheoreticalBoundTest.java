package org.robber.emulation.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.ClusterSpec;
import org.robber.emulation.scenario.LinkSpec;
import org.robber.emulation.scenario.NicScope;
import org.robber.emulation.scenario.NodePlace;
import org.robber.emulation.scenario.Origin;
import org.robber.emulation.scenario.Phase;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.scenario.ScenarioFamily;
import org.robber.emulation.scenario.ScenarioFiles;

class TheoreticalBoundTest {

    private static final double UNLIMITED = Double.POSITIVE_INFINITY;
    private static final long NANOS = 1_000_000_000;

    /** Every kind of limit, in networks small enough for a program over single nodes. */
    private static final ScenarioFamily SMALL = new ScenarioFamily(4, 3, 1e6, 10e6, 0, 0.1, 0.7, 0.8, 0.3, 0, 0);

    @Test
    void isNeverExceededNodeByNode() {
        SeededRuns.run(60, random -> {
            Scenario scenario = SMALL.draw(random.nextLong());
            if (scenario.nodeCount() <= 7) {
                double reached = NodeProgram.bytesPerSecond(scenario);
                double bound = TheoreticalBound.of(scenario).bytesPerSecond(0);
                assertThat(Math.min(bound, 1e12)).isGreaterThanOrEqualTo(reached * (1 - 1e-6));
            }
        });
    }

    /** Folding a cluster to a point loses something only where a slow root and a LAN that is limited as a whole meet. */
    @Test
    void isReachedNodeByNodeButInRareCases() {
        int compared = 0;
        int reached = 0;
        for (int seed = 0; seed < 200; seed++) {
            Scenario scenario = SMALL.draw(seed);
            if (scenario.nodeCount() <= 7) {
                double bound = Math.min(TheoreticalBound.of(scenario).bytesPerSecond(0), 1e12);
                compared++;
                reached += NodeProgram.bytesPerSecond(scenario) >= bound * (1 - 1e-6) ? 1 : 0;
            }
        }
        assertThat(compared).isGreaterThan(100);
        assertThat(reached).isGreaterThanOrEqualTo(compared - 1);
    }

    @Test
    void isWhatAllTreesTogetherReach() {
        SeededRuns.run(150, random -> {
            Scenario scenario = withAccessLines(2 + random.nextInt(3), 1, random);
            double allTrees =
                    TreeProgram.bytesPerSecond(scenario, scenario.phases().get(0));
            TheoreticalBound bound = TheoreticalBound.of(scenario);
            assertThat(bound.bytesPerSecond(0)).isCloseTo(allTrees, within(1.0));
        });
    }

    @Test
    void storesAsMuchAsFlowsThroughTimeDo() {
        SeededRuns.run(60, random -> {
            Scenario scenario = withAccessLines(2 + random.nextInt(3), 1 + random.nextInt(4), random);
            double end = random.nextDouble() * scenario.phases().size();
            double bytes = StoreProgram.bytes(scenario, durations(end));
            if (bytes > 1000) {
                // Earlier, where the last moments bring nothing to the cluster that has least.
                double seconds = TheoreticalBound.of(scenario).storeSeconds(Math.round(bytes));
                assertThat(seconds).isLessThanOrEqualTo(end + 1e-4);
                assertThat(StoreProgram.bytes(scenario, durations(seconds))).isCloseTo(bytes, within(10.0));
            }
        });
    }

    /** Of phases that last a second each. */
    private static double[] durations(double end) {
        double[] seconds = new double[(int) Math.max(1, Math.ceil(end))];
        Arrays.fill(seconds, 1);
        seconds[seconds.length - 1] = end - (seconds.length - 1);
        return seconds;
    }

    @Test
    void storeIsNeverSlowerThanAdapt() {
        SeededRuns.run(100, random -> {
            TheoreticalBound bound = TheoreticalBound.of(ScenarioFamily.mixed().draw(random.nextLong()));
            long bytes = 1L + random.nextInt(100_000_000);
            assertThat(bound.storeSeconds(bytes)).isLessThanOrEqualTo(bound.adaptSeconds(bytes) * (1 + 1e-6));
            assertThat(bound.storeSeconds(bytes)).isLessThanOrEqualTo(bound.storeSeconds(bytes + 1_000_000));
        });
    }

    @Test
    void changesThatChangeNothingAreNoChanges() {
        SeededRuns.run(30, random -> {
            Scenario still = ScenarioFamily.steady().draw(random.nextLong());
            ImmutableSortedMap<ClusterPair, LinkSpec> links =
                    still.phases().get(0).links();
            Scenario changing = withPhases(
                    still, ImmutableList.of(new Phase(0, links), new Phase(NANOS, links), new Phase(2 * NANOS, links)));
            double seconds = TheoreticalBound.of(still).adaptSeconds(100_000_000);
            assertThat(TheoreticalBound.of(changing).adaptSeconds(100_000_000))
                    .isCloseTo(seconds, withinPercentage(1e-6));
            assertThat(TheoreticalBound.of(changing).storeSeconds(100_000_000))
                    .isCloseTo(seconds, withinPercentage(1e-6));
        });
    }

    @Test
    void aFasterLinkNeverHurts() {
        SeededRuns.run(60, random -> {
            Scenario scenario = SMALL.draw(random.nextLong());
            SortedMap<ClusterPair, LinkSpec> links = new TreeMap<>();
            scenario.phases().get(0).links().forEach((pair, link) -> {
                double factor = random.nextBoolean() ? 1 : 1 + random.nextDouble();
                links.put(pair, new LinkSpec(link.bytesPerSecond() * factor, 0, link.loss()));
            });
            Scenario faster =
                    withPhases(scenario, ImmutableList.of(new Phase(0, ImmutableSortedMap.copyOfSorted(links))));
            assertThat(TheoreticalBound.of(faster).bytesPerSecond(0))
                    .isGreaterThanOrEqualTo(TheoreticalBound.of(scenario).bytesPerSecond(0) * (1 - 1e-6));
        });
    }

    @Test
    void saysWhenNotEveryCutWasLookedAt() {
        Scenario scenario = continents(3, 3);
        TheoreticalBound all = TheoreticalBound.of(scenario);
        TheoreticalBound some = TheoreticalBound.of(scenario, 0);

        assertThat(all.isProven(1_000_000)).isTrue();
        assertThat(some.isProven(1_000_000)).isFalse();
        assertThat(some.adaptSeconds(1_000_000))
                .as("cannot be undercut all the same")
                .isLessThanOrEqualTo(all.adaptSeconds(1_000_000));
    }

    /** Programs and flows over 20,000 layers of time would take hours. */
    @Test
    void thousandsOfPhasesAreBoundedAsClosely() {
        TheoreticalBound few = TheoreticalBound.of(alternating(200));
        TheoreticalBound many = TheoreticalBound.of(alternating(20_000));

        assertThat(few.isProven(1_000_000_000)).isTrue();
        assertThat(few.storeSeconds(1_000_000_000)).isLessThan(0.9 * few.adaptSeconds(1_000_000_000));
        assertThat(many.isProven(100_000_000_000L)).isFalse();
        assertThat(many.storeSeconds(100_000_000_000L))
                .isCloseTo(100 * few.storeSeconds(1_000_000_000), withinPercentage(0.5));
        assertThat(many.isProven(500_000_000)).as("in the first of them").isTrue();
    }

    /** Three clusters in a row, behind access lines and with slow LANs: in each second one link is fast and the other one slow. */
    private static Scenario alternating(int phases) {
        ImmutableList.Builder<ClusterSpec> clusters = ImmutableList.builder();
        for (String name : List.of("A", "B", "C")) {
            ImmutableList<Double> cards = ImmutableList.copyOf(Collections.nCopies(3, 100e6));
            clusters.add(new ClusterSpec(
                    name, 3, 11e6, UNLIMITED, cards, cards, NicScope.WAN, 20e6, UNLIMITED, /* lan= */ 30e6));
        }
        ImmutableList.Builder<Phase> changes = ImmutableList.builder();
        for (int phase = 0; phase < phases; phase++) {
            changes.add(new Phase(
                    phase * NANOS,
                    ImmutableSortedMap.of(
                            new ClusterPair(0, 1), new LinkSpec(phase % 2 == 0 ? 12e6 : 4e6, 0, 0),
                            new ClusterPair(1, 2), new LinkSpec(phase % 2 == 0 ? 4e6 : 12e6, 0, 0))));
        }
        return new Scenario("s", "", Origin.GENERATED, new NodePlace(0, 0), clusters.build(), changes.build());
    }

    @Test
    void endsAtAChange() {
        Scenario scenario = ScenarioFiles.read("sc05_fig2");
        ImmutableSortedMap<ClusterPair, LinkSpec> links =
                scenario.phases().get(0).links();
        TheoreticalBound bound = TheoreticalBound.of(
                withPhases(scenario, ImmutableList.of(new Phase(0, links), new Phase(NANOS, links))));
        assertThat(bound.storeSeconds(9_000_000)).isCloseTo(1, within(1e-6));
    }

    @Test
    void neverEndsWhenLinksBreakTooEarly() {
        Scenario scenario = ScenarioFiles.read("sc05_fig2");
        ImmutableSortedMap<ClusterPair, LinkSpec> links =
                scenario.phases().get(0).links();
        SortedMap<ClusterPair, LinkSpec> broken = new TreeMap<>();
        links.keySet().forEach(pair -> broken.put(pair, new LinkSpec(0, 0, 0)));
        TheoreticalBound bound = TheoreticalBound.of(withPhases(
                scenario,
                ImmutableList.of(new Phase(0, links), new Phase(NANOS, ImmutableSortedMap.copyOfSorted(broken)))));
        assertThat(bound.storeSeconds(8_900_000)).isCloseTo(8.9 / 9, within(1e-6));
        assertThat(bound.storeSeconds(9_100_000)).isInfinite();
    }

    @Test
    void cardsThatCarryLocalTrafficLimitASingleCluster() {
        // Kumar and Ross, 2006: the least of the root's card, the slowest receiver, and all cards by all receivers.
        Scenario three = oneCluster(ImmutableList.of(9e6, 2e6, 3e6), ImmutableList.of(1e6, 20e6, 8e6));
        assertThat(TheoreticalBound.of(three).bytesPerSecond(0)).isCloseTo(7e6, within(1.0));
        Scenario slowRoot = oneCluster(ImmutableList.of(4e6, 20e6, 30e6), ImmutableList.of(1e6, 20e6, 8e6));
        assertThat(TheoreticalBound.of(slowRoot).bytesPerSecond(0)).isCloseTo(4e6, within(1.0));
        Scenario slowReceiver = oneCluster(ImmutableList.of(9e6, 20e6, 30e6), ImmutableList.of(1e6, 20e6, 5e6));
        assertThat(TheoreticalBound.of(slowReceiver).bytesPerSecond(0)).isCloseTo(5e6, within(1.0));
    }

    @Test
    void aClusterOutOfReachHasNoRate() {
        Scenario scenario = withPhases(
                withAccessLines(3, 1, new SeededRandom(1)),
                ImmutableList.of(new Phase(0, ImmutableSortedMap.of(new ClusterPair(0, 1), new LinkSpec(1e6, 0, 0)))));
        TheoreticalBound bound = TheoreticalBound.of(scenario);
        assertThat(bound.bytesPerSecond(0)).isZero();
        assertThat(bound.adaptSeconds(1)).isInfinite();
        assertThat(bound.storeSeconds(1)).isInfinite();
    }

    /** Clusters of one node, some behind access lines, a change each second; the root is in the first. */
    private static Scenario withAccessLines(int clusters, int phases, SeededRandom random) {
        ImmutableList.Builder<ClusterSpec> specs = ImmutableList.builder();
        for (int i = 0; i < clusters; i++) {
            specs.add(cluster(
                    "C" + i, some(random), some(random), ImmutableList.of(UNLIMITED), ImmutableList.of(UNLIMITED)));
        }
        ImmutableList.Builder<Phase> drawn = ImmutableList.builder();
        for (int phase = 0; phase < phases; phase++) {
            SortedMap<ClusterPair, LinkSpec> links = new TreeMap<>();
            for (int from = 0; from < clusters; from++) {
                for (int to = 0; to < clusters; to++) {
                    if (from != to) {
                        double rate = random.nextInt(4) == 0 ? 0 : 1e6 * (1 + random.nextInt(10));
                        links.put(new ClusterPair(from, to), new LinkSpec(rate, 0, 0));
                    }
                }
            }
            drawn.add(new Phase(phase * NANOS, ImmutableSortedMap.copyOfSorted(links)));
        }
        return new Scenario("s", "", Origin.GENERATED, new NodePlace(0, 0), specs.build(), drawn.build());
    }

    /** Clusters behind access lines, with slow links between groups of them: the narrow cuts are around groups. */
    private static Scenario continents(int groups, int clustersOfAGroup) {
        ImmutableList.Builder<ClusterSpec> specs = ImmutableList.builder();
        SortedMap<ClusterPair, LinkSpec> links = new TreeMap<>();
        int clusters = groups * clustersOfAGroup;
        for (int from = 0; from < clusters; from++) {
            specs.add(cluster("C" + from, 50e6, 50e6, ImmutableList.of(UNLIMITED), ImmutableList.of(UNLIMITED)));
            for (int to = 0; to < clusters; to++) {
                if (from != to) {
                    boolean near = from / clustersOfAGroup == to / clustersOfAGroup;
                    links.put(new ClusterPair(from, to), new LinkSpec(near ? 40e6 : 1e4 * (1 + (from + to) % 7), 0, 0));
                }
            }
        }
        return new Scenario(
                "s",
                "",
                Origin.GENERATED,
                new NodePlace(0, 0),
                specs.build(),
                ImmutableList.of(new Phase(0, ImmutableSortedMap.copyOfSorted(links))));
    }

    private static double some(SeededRandom random) {
        return random.nextBoolean() ? UNLIMITED : 1e6 * (2 + random.nextInt(15));
    }

    private static Scenario oneCluster(ImmutableList<Double> up, ImmutableList<Double> down) {
        return new Scenario(
                "s",
                "",
                Origin.GENERATED,
                new NodePlace(0, 0),
                ImmutableList.of(cluster("A", UNLIMITED, UNLIMITED, up, down)),
                ImmutableList.of(new Phase(0, ImmutableSortedMap.of())));
    }

    private static ClusterSpec cluster(
            String name, double accessUp, double accessDown, ImmutableList<Double> up, ImmutableList<Double> down) {
        return new ClusterSpec(
                name, up.size(), accessUp, accessDown, up, down, NicScope.ALL, UNLIMITED, UNLIMITED, UNLIMITED);
    }

    private static Scenario withPhases(Scenario scenario, ImmutableList<Phase> phases) {
        return new Scenario(scenario.name(), "", scenario.origin(), scenario.root(), scenario.clusters(), phases);
    }
}
