package org.robber.bench.micro;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
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
import org.robber.core.meeting.Group;
import org.robber.core.meeting.MeetingAction;
import org.robber.core.meeting.MeetingNode;
import org.robber.core.meeting.MeshMessage.OfMeeting;
import org.robber.core.topology.Topology;

/**
 * The cost of the machines of a meeting: all nodes of a job meet, in a network that takes no time. The figure is that of all nodes together.
 *
 * <pre>{@code robber-bench/bin/jmh MeetingBenchmark}</pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(3)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class MeetingBenchmark {
    /** Number of clusters. */
    @Param({"1", "4"})
    public int clusters = 1;

    /** Nodes of each cluster. */
    @Param({"4", "64"})
    public int nodes = 4;

    /** What each node brings. */
    @Param({"0", "1024"})
    public int payloadBytes = 0;

    private MeetingNode[] machines = {};
    private Group group = Group.world(1);
    private byte[] payload = {};
    private final Queue<Sent> underWay = new ArrayDeque<>();
    private long number;
    private int met;

    private record Sent(int from, int to, OfMeeting message) {}

    /** Makes the machines, which have any number of meetings. */
    @Setup
    public void make() {
        int[] sizes = new int[clusters];
        Arrays.fill(sizes, nodes);
        Topology topology = Topology.ofSizes(sizes);
        group = Group.world(topology.size());
        machines = new MeetingNode[topology.size()];
        Arrays.setAll(machines, rank -> new MeetingNode(rank, topology));
        payload = new byte[payloadBytes];
    }

    /** A meeting of all nodes. */
    @Benchmark
    public int meet() {
        met = 0;
        for (int rank = 0; rank < machines.length; rank++) {
            perform(rank, machines[rank].begin(group, number, "barrier", payload));
        }
        for (Sent next = underWay.poll(); next != null; next = underWay.poll()) {
            perform(next.to, machines[next.to].received(next.from, next.message));
        }
        number++;
        if (met != machines.length) {
            throw new IllegalStateException(met + " of " + machines.length + " nodes have met");
        }
        return met;
    }

    private void perform(int rank, List<MeetingAction> actions) {
        for (MeetingAction action : actions) {
            if (action instanceof MeetingAction.Send send) {
                send.ranks().forEach(to -> underWay.add(new Sent(rank, to, send.message())));
            } else if (action instanceof MeetingAction.Met) {
                met++;
            }
        }
    }
}
