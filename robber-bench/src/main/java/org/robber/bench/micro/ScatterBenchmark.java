package org.robber.bench.micro;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.robber.core.node.MulticastNode;
import org.robber.core.strategy.Strategies;
import org.robber.core.topology.DataPlacement;
import org.robber.core.topology.DataPlacement.Range;
import org.robber.core.topology.Topology;

/**
 * The cost of the machines of a scatter for each piece, as {@link StrategyBenchmark} has it for a multicast: a scatter to 4 x 4 nodes with relays is recorded
 * once, and its events are handed to fresh nodes again and again.
 *
 * <pre>{@code robber-bench/bin/jmh ScatterBenchmark}</pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ScatterBenchmark {
    private static final int CLUSTERS = 4;
    private static final int NODES_OF_A_CLUSTER = 4;
    private static final int NODES = CLUSTERS * NODES_OF_A_CLUSTER;
    private static final int PIECES_OF_A_NODE = 64;
    private static final int PIECES = NODES * PIECES_OF_A_NODE;

    private final Transcript transcript = record();
    private MulticastNode[] nodes = {};

    private static Transcript record() {
        int[] clusters = new int[CLUSTERS];
        Arrays.fill(clusters, NODES_OF_A_CLUSTER);
        List<Range> wants = new ArrayList<>();
        for (int rank = 0; rank < NODES; rank++) {
            wants.add(new Range(rank, rank * PIECES_OF_A_NODE, (rank + 1) * PIECES_OF_A_NODE));
        }
        DataPlacement placement = new DataPlacement(PIECES, List.of(new Range(0, 0, PIECES)), wants).withRelays(PIECES);
        return Transcript.ofParts(Strategies.byName("robber"), Topology.ofSizes(clusters), placement);
    }

    /** Makes nodes; each does only one call. */
    @Setup(Level.Invocation)
    public void make() {
        nodes = transcript.nodes();
    }

    /** All events of a scatter; the figure is the time per piece that crosses a line. */
    @Benchmark
    @OperationsPerInvocation(PIECES - PIECES_OF_A_NODE)
    public long handle() {
        return transcript.replay(nodes);
    }
}
