package org.robber.bench.micro;

import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.robber.core.node.MulticastNode;
import org.robber.core.strategy.Strategies;
import org.robber.core.topology.Topology;

/**
 * The cost of the machines of a strategy for each piece that a node receives: a multicast to 4 x 4 nodes is recorded once, and all
 * its events are handed to fresh nodes again and again. Each fork first prints the messages that were sent for each piece, the
 * piece itself aside, and the events that were handled. These are the same in every run.
 *
 * <p>The network takes no time, so windows are never full for long and nothing is ever late: compare strategies with one
 * another, not with figures of a transfer.
 *
 * <pre>{@code robber-bench/bin/jmh StrategyBenchmark}</pre>
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class StrategyBenchmark {
    private static final int CLUSTERS = 4;
    private static final int NODES_OF_A_CLUSTER = 4;
    private static final int PIECES = 256;
    private static final int RECEIVED = PIECES * (CLUSTERS * NODES_OF_A_CLUSTER - 1);

    /** All events of a multicast; the figure is the time per piece received. */
    @Benchmark
    @OperationsPerInvocation(RECEIVED)
    public long handle(Multicast state) {
        return state.transcript.replay(state.nodes);
    }

    /** A multicast that was recorded, and nodes to repeat it. */
    @State(Scope.Thread)
    public static class Multicast {
        /** Name of the strategy. */
        @Param({
            "robber",
            "mob",
            "bittorrent",
            "balanced",
            "fpfr",
            "max-bottleneck",
            "flat",
            "multilayer",
            "chain",
            "binomial",
            "multitcp"
        })
        public String strategy = "robber";

        Transcript transcript = record("chain");
        MulticastNode[] nodes = {};

        /** Records the multicast. */
        @Setup(Level.Trial)
        public void record() {
            transcript = record(strategy);
            System.out.printf(
                    Locale.ROOT,
                    "%n%s, for each piece received: %.1f messages, %.1f events%n",
                    strategy,
                    (double) transcript.messages() / RECEIVED,
                    (double) transcript.events() / RECEIVED);
        }

        private static Transcript record(String name) {
            int[] clusters = new int[CLUSTERS];
            Arrays.fill(clusters, NODES_OF_A_CLUSTER);
            return Transcript.of(Strategies.byName(name), Topology.ofSizes(clusters), PIECES);
        }

        /** Makes nodes; each does only one multicast. */
        @Setup(Level.Invocation)
        public void make() {
            nodes = transcript.nodes();
        }
    }
}
