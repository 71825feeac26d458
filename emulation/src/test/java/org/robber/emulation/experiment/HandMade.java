package org.robber.emulation.experiment;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedMap;
import java.time.Instant;
import java.util.List;
import org.robber.emulation.experiment.Findings.Setting;
import org.robber.emulation.run.Backend;
import org.robber.emulation.run.NodeRun;
import org.robber.emulation.run.Recovery;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.run.Timeline;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.ClusterSpec;
import org.robber.emulation.scenario.LinkSpec;
import org.robber.emulation.scenario.NodePlace;
import org.robber.emulation.scenario.Origin;
import org.robber.emulation.scenario.Phase;
import org.robber.emulation.scenario.Scenario;

/** Runs that never happened, with figures that can be checked by hand. */
public final class HandMade {

    public static final long DATA_BYTES = 600_000_000;
    private static final long SECOND = 1_000_000_000;
    private static final double UNLIMITED = Double.POSITIVE_INFINITY;

    private HandMade() {}

    /** A scenario of clusters A, B, ... with links of 10 MB/s between all of them, that drop to 4 MB/s at 30 s. */
    public static Scenario scenario(String name, int clusters, int nodes) {
        ImmutableList.Builder<ClusterSpec> specs = ImmutableList.builder();
        ImmutableSortedMap.Builder<ClusterPair, LinkSpec> fast = ImmutableSortedMap.naturalOrder();
        ImmutableSortedMap.Builder<ClusterPair, LinkSpec> slow = ImmutableSortedMap.naturalOrder();
        for (int from = 0; from < clusters; from++) {
            String clusterName = clusters <= 26 ? String.valueOf((char) ('A' + from)) : "cluster" + from;
            specs.add(ClusterSpec.ofCards(clusterName, nodes, UNLIMITED));
            for (int to = 0; to < clusters; to++) {
                if (to != from) {
                    fast.put(new ClusterPair(from, to), new LinkSpec(10e6, 10_000_000, 0));
                    slow.put(new ClusterPair(from, to), new LinkSpec(4e6, 10_000_000, 0));
                }
            }
        }
        return new Scenario(
                name,
                "Links < 10 MB/s & falling",
                Origin.SOURCE,
                new NodePlace(0, 0),
                specs.build(),
                ImmutableList.of(new Phase(0, fast.buildOrThrow()), new Phase(30 * SECOND, slow.buildOrThrow())));
    }

    /** A run in which every node but the root receives evenly until the end; every cluster takes all from the one before it. */
    public static RunResult run(Scenario scenario, String strategy, long seed, long seconds) {
        return run(scenario, strategy, seed, seconds, "");
    }

    /** The same, ended early by a problem: the last node never has everything. */
    public static RunResult run(Scenario scenario, String strategy, long seed, long seconds, String problem) {
        int nodes = scenario.nodeCount();
        ImmutableList.Builder<NodeRun> nodeRuns = ImmutableList.builder();
        ImmutableList.Builder<ImmutableList<Long>> received = ImmutableList.builder();
        for (int rank = 0; rank < nodes; rank++) {
            boolean failed = !problem.isEmpty() && rank == nodes - 1;
            long done = failed ? -1 : rank == 0 ? 0 : seconds * SECOND - (nodes - 1 - rank) * 1_000_000L;
            nodeRuns.add(new NodeRun(
                    rank, done, rank == 0 ? 0 : 500_000_000, rank == 0 ? 0 : 100_000_000, rank == 0 ? 0 : 100, 60_000));
            received.add(totals(seconds, rank == 0 ? 0 : DATA_BYTES));
        }
        ImmutableSortedMap.Builder<ClusterPair, Long> crossed = ImmutableSortedMap.naturalOrder();
        ImmutableSortedMap.Builder<ClusterPair, Long> stolen = ImmutableSortedMap.naturalOrder();
        ImmutableSortedMap.Builder<ClusterPair, ImmutableList<Long>> links = ImmutableSortedMap.naturalOrder();
        for (ClusterPair pair : scenario.phases().get(0).links().keySet()) {
            long bytes = pair.from() + 1 == pair.to() ? DATA_BYTES + 6_000_000 : 0;
            crossed.put(pair, bytes + bytes / 50);
            stolen.put(pair, bytes);
            links.put(pair, totals(seconds, bytes));
        }
        Timeline timeline = new Timeline(SECOND / 2, received.build(), links.buildOrThrow());
        return new RunResult(
                scenario,
                Backend.SIMULATOR,
                strategy,
                seed,
                DATA_BYTES,
                1 << 20,
                problem,
                nodeRuns.build(),
                crossed.buildOrThrow(),
                stolen.buildOrThrow(),
                -1,
                timeline,
                /* besideNanos= */ ImmutableList.of(),
                Recovery.of(scenario, timeline));
    }

    /** The same, with so much processor time. */
    public static RunResult withCpu(RunResult run, long cpuNanos) {
        return with(run, run.stolenBytes(), cpuNanos, run.recoveries());
    }

    /** The same, with this recovery of a link. */
    public static RunResult withRecovery(RunResult run, Recovery recovery) {
        return with(run, run.stolenBytes(), run.cpuNanos(), ImmutableList.of(recovery));
    }

    /** The same, with these bytes received, by direction. */
    static RunResult withStolen(RunResult run, ImmutableSortedMap<ClusterPair, Long> stolenBytes) {
        return with(run, stolenBytes, run.cpuNanos(), run.recoveries());
    }

    private static RunResult with(
            RunResult run,
            ImmutableSortedMap<ClusterPair, Long> stolenBytes,
            long cpuNanos,
            ImmutableList<Recovery> recoveries) {
        return new RunResult(
                run.scenario(),
                run.backend(),
                run.strategy(),
                run.seed(),
                run.dataBytes(),
                run.pieceBytes(),
                run.problem(),
                run.nodes(),
                run.crossedBytes(),
                stolenBytes,
                cpuNanos,
                run.timeline(),
                run.besideNanos(),
                recoveries);
    }

    private static ImmutableList<Long> totals(long seconds, long bytes) {
        ImmutableList.Builder<Long> totals = ImmutableList.builder();
        for (long half = 0; half <= 2 * seconds; half++) {
            totals.add(bytes * half / (2 * seconds));
        }
        return totals.build();
    }

    /** The same, without the timelines of nodes and links. */
    public static Findings inShort(Findings findings) {
        return Findings.of(
                findings.setting(),
                findings.runs().stream()
                        .map(MeasuredRun::run)
                        .map(run -> run.withTimeline(run.timeline().inShort(100)))
                        .toList());
    }

    /** Findings with these runs; the bound of every scenario is 40 s, or 30 s for who knows the future. */
    public static Findings findings(List<Scenario> scenarios, List<String> strategies, List<RunResult> runs) {
        ImmutableMap.Builder<Scenario, Bound> bounds = ImmutableMap.builder();
        scenarios.forEach(scenario -> bounds.put(scenario, new Bound(40, 30, true, scenario.nodeCount() - 1)));
        Setting setting = new Setting(
                "robber-cli emulate 'a <b>.json' --runs=2",
                Instant.parse("2026-11-20T10:00:00Z"),
                new Computer("17.0.15", "OpenJDK 64-Bit Server VM 17.0.15+6", "Linux", "6.1.0", "amd64", 2),
                "0.1.0",
                bounds.buildOrThrow(),
                ImmutableList.copyOf(strategies),
                DATA_BYTES,
                Deadline.NONE,
                scenarios.size() * strategies.size() * 2,
                "tun");
        return Findings.of(setting, runs);
    }

    /** Two scenarios of the publication, two strategies, two runs of each but one that ended early. */
    public static Findings example() {
        Scenario fast = scenario("tc1_fast_links", 4, 3);
        Scenario own = scenario("of our \"own\", and <odd>", 2, 1);
        return findings(
                List.of(fast, own),
                List.of("robber", "mob"),
                List.of(
                        run(fast, "robber", 1, 50),
                        run(fast, "robber", 2, 64),
                        run(fast, "mob", 1, 80),
                        run(fast, "mob", 2, 80, "rank 11 has 3 of 573 pieces, \"stuck\"\nat 80 s"),
                        run(own, "robber", 1, 40),
                        run(own, "robber", 2, 40),
                        run(own, "mob", 1, 100)));
    }
}
