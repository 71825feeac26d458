package org.robber.bench.micro;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.robber.Op;
import org.robber.core.meeting.Group;
import org.robber.core.meeting.PersonalPayloads;
import org.robber.core.reduce.ReductionPlanner;
import org.robber.core.topology.DataPlacement;
import org.robber.core.topology.Topology;
import org.robber.transport.collective.CallRunner;
import org.robber.transport.collective.ReductionCalls;
import org.robber.transport.collective.exchange.Exchange;
import org.robber.transport.collective.exchange.Exchanges;
import org.robber.transport.collective.member.Membership;
import org.robber.transport.mesh.Meetings;
import org.robber.transport.rendezvous.BlockingCalls;

/**
 * The cost of a small allReduce at one of 16 nodes, without the network: copies in and out, and the combination of all contributions.
 *
 * <pre>{@code robber-bench/bin/jmh ReductionBenchmark}</pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ReductionBenchmark {
    private static final int NODES = 16;

    /** Elements of a vector. */
    @Param({"1", "512"})
    public int elements = 1;

    /** The operation. */
    @Param({"sum", "max", "user"})
    public String operation = "sum";

    private final CallRunner runner = new CallRunner(
            new Membership(
                    Group.world(NODES),
                    0,
                    Topology.ofSizes(NODES),
                    new BlockingCalls(0, failure -> {}),
                    failure -> {},
                    rank -> "rank " + rank),
            FullMeetings::new,
            new NoExchanges(),
            Runnable::run);
    private final ReductionCalls calls = new ReductionCalls(runner);
    private double[] in = {};
    private double[] out = {};
    private Op op = Op.SUM;

    /** All others bring the same, and are here. */
    private static final class FullMeetings implements Meetings {
        @Override
        public CompletableFuture<List<byte[]>> meet(Group group, long number, String call, byte[] payload) {
            return CompletableFuture.completedFuture(Collections.nCopies(NODES, payload));
        }

        @Override
        public CompletableFuture<Map<Integer, ByteBuffer>> deliver(
                Group group, long number, String call, PersonalPayloads personal) {
            throw new IllegalStateException("few data are delivered to single members: " + call);
        }
    }

    /** Few data need no exchange. */
    private static final class NoExchanges implements Exchanges {
        @Override
        public int pieceBytes(long totalBytes) {
            return 1;
        }

        @Override
        public int reductionPieceBytes(long vectorBytes) {
            return pieceBytes(vectorBytes);
        }

        @Override
        public int pieceBytes(long totalBytes, Supplier<DataPlacement> placement) {
            return 1;
        }

        @Override
        public long mostPersonalBytes() {
            return 0;
        }

        @Override
        public boolean hasLongLines() {
            return false;
        }

        @Override
        public boolean isOneMachine() {
            return false;
        }

        @Override
        public boolean mayShareMemory() {
            return false;
        }

        @Override
        public ReductionPlanner reductions() {
            return ReductionPlanner.byClusters(Topology.ofSizes(1));
        }

        @Override
        public CompletableFuture<Void> run(Exchange exchange) {
            throw new IllegalStateException("too many bytes for a meeting");
        }

        @Override
        public <T> CompletableFuture<T> watched(String call, CompletableFuture<T> part) {
            return part;
        }

        @Override
        public CompletableFuture<Void> idle() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void close() {}
    }

    /** Makes the vectors. */
    @Setup
    public void make() {
        in = new double[elements];
        out = new double[elements];
        op = switch (operation) {
            case "sum" -> Op.SUM;
            case "max" -> Op.MAX;
            default -> Op.ofDoubles("sum", /* commutative= */ true, Double::sum);
        };
    }

    /** A call. */
    @Benchmark
    public double[] allReduce() {
        calls.allReduce(in, out, op).await();
        return out;
    }
}
