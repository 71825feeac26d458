package org.robber.bench.simulator;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.Collections;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.robber.bench.Program;
import org.robber.core.piece.PieceLayout;
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
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The cost of simulating a multicast among many nodes, every step checked: time and memory. Clusters are all alike,
 * behind access lines and links of 1 Gbit/s with 10 ms of delay. Run it by {@code robber-bench/bin/simulator}; {@code docs/lab/2026-11-simulator-fit.md} has figures.
 */
@Command(
        name = "simulator",
        description = "Simulates one multicast among many nodes, and says what the simulation costs.",
        showDefaultValues = true)
public final class ManyNodes implements Callable<Integer> {
    private static final double BYTES_PER_SECOND = 125e6;
    private static final long DELAY_NANOS = 10_000_000;

    @Option(names = "--clusters", paramLabel = "N", description = "clusters, at least 2")
    private int clusters = 100;

    @Option(names = "--nodes", paramLabel = "N", description = "nodes of each cluster")
    private int nodes = 100;

    @Option(names = "--size", paramLabel = "BYTES", description = "size of the data")
    private long dataBytes = 1_000_000_000;

    @Option(names = "--piece-size", paramLabel = "BYTES", description = "size of a piece")
    private int pieceBytes = 1 << 22;

    @Option(names = "--strategy", paramLabel = "NAME", description = "as in robber-cli emulate")
    private String strategy = "robber";

    @Option(names = "--seed", paramLabel = "N", description = "of everything random")
    private long seed = 1;

    @Option(names = "--hash", description = "also print the hash of the trace, the same on every JDK")
    private boolean hashed;

    /** Simulates; exit code 0 if every node got everything, 1 if not, 2 if the options are wrong. */
    public static void main(String[] args) {
        System.exit(Program.execute(new ManyNodes(), args));
    }

    @Override
    public Integer call() {
        return run(System.out).isComplete() ? 0 : Program.FAILED;
    }

    /** Simulates, and prints what it took. */
    RunResult run(PrintStream results) {
        checkArgument(clusters >= 2, "--clusters=%s is not at least 2", clusters);
        checkArgument(nodes >= 1 && pieceBytes >= 1 && dataBytes >= 0, "a size or number is too small");
        TraceHash hash = new TraceHash();
        SimulationOptions simulated = SimulationOptions.of(Strategies.byName(strategy), seed, dataBytes)
                .withPieceBytes(pieceBytes);
        if (hashed) {
            simulated = simulated.withTraceSink(hash);
        }
        long startNanos = System.nanoTime();
        RunResult result = Simulation.run(scenario(clusters, nodes), simulated);
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        long received = (long) new PieceLayout(dataBytes, pieceBytes).pieceCount()
                * (result.nodes().size() - 1);
        results.printf(
                Locale.ROOT,
                "nodes                %d in %d clusters%n",
                result.nodes().size(),
                clusters);
        results.printf(Locale.ROOT, "data                 %d bytes in pieces of %d%n", dataBytes, pieceBytes);
        results.printf(Locale.ROOT, "outcome              %s%n", result.isComplete() ? "complete" : result.problem());
        results.printf(Locale.ROOT, "virtual seconds      %.3f%n", result.nanos() / 1e9);
        results.printf(
                Locale.ROOT,
                "throughput           %.2f MB/s, %.1f %% of an access line, which nothing can exceed%n",
                1e3 * dataBytes / result.nanos(),
                100 * 1e9 / BYTES_PER_SECOND * dataBytes / result.nanos());
        results.printf(
                Locale.ROOT,
                "control              %.0f bytes for a piece received, %.2f %% of the data%n",
                (double) controlBytes(result) / Math.max(1, received),
                100.0
                        * controlBytes(result)
                        / Math.max(1, dataBytes * (result.nodes().size() - 1)));
        results.printf(Locale.ROOT, "seconds              %.1f%n", seconds);
        results.printf(Locale.ROOT, "  for a piece        %.1f microseconds%n", seconds * 1e6 / Math.max(1, received));
        results.printf(Locale.ROOT, "heap at its fullest  %d MiB, garbage included%n", peakHeapBytes() >> 20);
        if (hashed) {
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
