package org.robber.bench.simulator;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.Collections;
import java.util.Locale;
import org.robber.core.strategy.Strategies;
import org.robber.core.trace.TraceHash;
import org.robber.emulation.run.NodeRun;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.ClusterSpec;
import org.robber.emulation.scenario.LinkSpec;
import org.robber.emulation.scenario.NicScope;
import org.robber.emulation.scenario.NodePlace;
import org.robber.emulation.scenario.Origin;
import org.robber.emulation.scenario.Phase;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.simulator.Simulation;
import org.robber.emulation.simulator.SimulationOptions;

/**
 * What it costs to simulate a multicast among many nodes, every step checked: time and memory. Clusters are all alike,
 * behind access lines and links of 1 Gbit/s with 10 ms of delay. Run it by {@code robber-bench/bin/simulator}; {@code docs/lab/2026-11-simulator-fit.md} has figures.
 */
public final class ManyNodes {
    private static final double BYTES_PER_SECOND = 125e6;
    private static final long DELAY_NANOS = 10_000_000;

    private ManyNodes() {}

    /** Simulates; exit code 0 if every node got everything, 1 if not, 2 if the options are wrong. */
    @SuppressWarnings("SystemExitOutsideMain") // the exit code is this program's answer to scripts
    public static void main(String[] args) {
        if (args.length == 1 && args[0].equals("--help")) {
            System.out.print(ManyNodesOptions.USAGE);
            return;
        }
        try {
            if (!run(ManyNodesOptions.parse(args), System.out).isComplete()) {
                System.exit(1);
            }
        } catch (IllegalArgumentException e) {
            System.err.println("simulator: " + e.getMessage() + "\n\n" + ManyNodesOptions.USAGE);
            System.exit(2);
        }
    }

    /** Simulates, and prints what it took. */
    static RunResult run(ManyNodesOptions options, PrintStream results) {
        TraceHash hash = new TraceHash();
        SimulationOptions simulated = SimulationOptions.of(
                        Strategies.byName(options.strategy()), options.seed(), options.dataBytes())
                .withPieceBytes(options.pieceBytes());
        if (options.hashed()) {
            simulated = simulated.withTraceSink(hash);
        }
        long startNanos = System.nanoTime();
        RunResult result = Simulation.run(scenario(options.clusters(), options.nodes()), simulated);
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        long received =
                options.dataBytes() / options.pieceBytes() * (result.nodes().size() - 1);
        results.printf(
                Locale.ROOT,
                "nodes                %d in %d clusters%n",
                result.nodes().size(),
                options.clusters());
        results.printf(
                Locale.ROOT,
                "data                 %d bytes in pieces of %d%n",
                options.dataBytes(),
                options.pieceBytes());
        results.printf(Locale.ROOT, "outcome              %s%n", result.isComplete() ? "complete" : result.problem());
        results.printf(Locale.ROOT, "virtual seconds      %.3f%n", result.nanos() / 1e9);
        results.printf(
                Locale.ROOT,
                "throughput           %.2f MB/s, %.1f %% of an access line, which nothing can exceed%n",
                1e3 * options.dataBytes() / result.nanos(),
                100 * 1e9 / BYTES_PER_SECOND * options.dataBytes() / result.nanos());
        results.printf(
                Locale.ROOT,
                "control              %.0f bytes for a piece received, %.2f %% of the data%n",
                (double) controlBytes(result) / Math.max(1, received),
                100.0
                        * controlBytes(result)
                        / Math.max(1, options.dataBytes() * (result.nodes().size() - 1)));
        results.printf(Locale.ROOT, "seconds              %.1f%n", seconds);
        results.printf(Locale.ROOT, "  for a piece        %.1f microseconds%n", seconds * 1e6 / Math.max(1, received));
        results.printf(Locale.ROOT, "heap at its fullest  %d MiB, garbage included%n", peakHeapBytes() >> 20);
        if (options.hashed()) {
            results.printf(Locale.ROOT, "trace hash           %016x%n", hash.value());
        }
        return result;
    }

    private static long controlBytes(RunResult result) {
        return result.nodes().stream().mapToLong(NodeRun::controlBytes).sum();
    }

    private static long peakHeapBytes() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .map(MemoryPoolMXBean::getPeakUsage)
                .mapToLong(usage -> usage.getUsed())
                .sum();
    }

    private static Scenario scenario(int clusters, int nodes) {
        double unlimited = Double.POSITIVE_INFINITY;
        ImmutableList<Double> cards = ImmutableList.copyOf(Collections.nCopies(nodes, unlimited));
        ImmutableList.Builder<ClusterSpec> specs = ImmutableList.builder();
        ImmutableSortedMap.Builder<ClusterPair, LinkSpec> links = ImmutableSortedMap.naturalOrder();
        for (int from = 0; from < clusters; from++) {
            specs.add(new ClusterSpec(
                    "C" + from,
                    nodes,
                    BYTES_PER_SECOND,
                    BYTES_PER_SECOND,
                    cards,
                    cards,
                    NicScope.WAN,
                    unlimited,
                    unlimited,
                    unlimited));
            for (int to = 0; to < clusters; to++) {
                if (from != to) {
                    links.put(new ClusterPair(from, to), new LinkSpec(BYTES_PER_SECOND, DELAY_NANOS, 0));
                }
            }
        }
        return new Scenario(
                "many_nodes",
                "",
                Origin.GENERATED,
                new NodePlace(0, 0),
                specs.build(),
                ImmutableList.of(new Phase(0, links.buildOrThrow())));
    }
}
