package org.robber.cli.replicate;

import com.google.common.collect.ImmutableSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.robber.Communicator;
import org.robber.cli.metrics.JobState;
import org.robber.cli.metrics.Metrics;
import org.robber.cli.metrics.MetricsPlace;
import org.robber.cli.report.NodeResult;
import org.robber.cli.report.TransferHistory;
import org.robber.cli.request.ReplicateRequest;

/** What rank 0 knows of its job while that runs: for metrics, and for the charts of the report. On other ranks, nothing. Thread-safe. */
final class JobWatch implements AutoCloseable {

    /** The phases of a job; a node can enter one more than once. */
    static final Set<String> PHASES = ImmutableSet.of("scan", "prepare", "manifest", "transfer", "verify", "commit");

    private static final double MILLIS_PER_SECOND = 1e3;
    private static final double NANOS_PER_SECOND = 1e9;

    private final ReplicateRequest request;
    private final Communicator world;
    private final Supplier<String> phase;
    private final IntToLongFunction verifiedBytes;
    private final TransferHistory history;
    private final double startSeconds = System.currentTimeMillis() / MILLIS_PER_SECOND;

    private long dataBytes;
    private boolean transferring;
    private boolean streaming;
    private long transferNanos;
    private List<NodeResult> results = List.of();
    private JobState.@Nullable End end;
    private @Nullable Metrics metrics;

    /**
     * @param phase that the job is in
     * @param verifiedBytes how much of the data a rank has
     */
    JobWatch(ReplicateRequest request, Communicator world, Supplier<String> phase, IntToLongFunction verifiedBytes) {
        this.request = request;
        this.world = world;
        this.phase = phase;
        this.verifiedBytes = verifiedBytes;
        List<Integer> clusterOf =
                IntStream.range(0, world.size()).map(world::clusterOf).boxed().toList();
        this.history = new TransferHistory(
                clusterOf, world.clusters().size(), request.source().fullRoots());
    }

    /**
     * At rank 0: shows metrics from now on, if they are wanted.
     *
     * @throws org.robber.RobberException if they cannot be shown
     */
    void open() {
        MetricsPlace place = request.report().metrics();
        if (place != null && !request.dryRun()) {
            Metrics opened = Metrics.start(place, PHASES, this::state);
            synchronized (this) {
                metrics = opened;
            }
        }
    }

    /** At rank 0: the transfer begins, after which each node has so many bytes. */
    synchronized void transferring(long bytes) {
        dataBytes = bytes;
        transferring = true;
        transferNanos = System.nanoTime();
        history.add(0, rank -> Map.of());
    }

    /** At rank 0: nodes have reported how far they are. */
    synchronized void sample() {
        if (transferring && results.isEmpty()) {
            history.add((System.nanoTime() - transferNanos) / NANOS_PER_SECOND, world.control()::bytesReceived);
        }
    }

    /** At rank 0: so much of a stream has come to every node. */
    synchronized void streamed(long bytes) {
        streaming = true;
        dataBytes = bytes;
    }

    /**
     * At rank 0: every node has told its result.
     *
     * @param seconds that the transfer took
     */
    synchronized void results(List<NodeResult> ofNodes, double seconds) {
        results = List.copyOf(ofNodes);
        if (transferring) {
            history.end(seconds, this::received);
        }
    }

    /** At rank 0: the job has ended. */
    synchronized void ended(int exitCode) {
        end = new JobState.End(exitCode, System.currentTimeMillis() / MILLIS_PER_SECOND);
    }

    /** How the transfer went over time. */
    TransferHistory history() {
        return history;
    }

    private synchronized JobState state() {
        Map<Integer, ?> lost = world.lost();
        List<JobState.Node> nodes = IntStream.range(0, world.size())
                .mapToObj(rank -> node(rank, lost.containsKey(rank)))
                .toList();
        return new JobState(
                request.source().text(),
                request.channel().strategy(),
                startSeconds,
                phase.get(),
                dataBytes,
                end,
                nodes);
    }

    private JobState.Node node(int rank, boolean isLost) {
        Map<String, Long> byName = new TreeMap<>();
        received(rank).forEach((cluster, bytes) -> byName.put(world.clusters().get(cluster), bytes));
        return new JobState.Node(
                rank,
                world.nodeName(rank),
                world.hostName(rank),
                world.clusters().get(world.clusterOf(rank)),
                isLost,
                verified(rank, isLost),
                byName);
    }

    private long verified(int rank, boolean isLost) {
        if (streaming) {
            return isLost ? 0 : dataBytes;
        }
        return results.isEmpty()
                ? verifiedBytes.applyAsLong(rank)
                : results.get(rank).verifiedBytes();
    }

    /** By the number of the cluster; exact in the end. */
    private Map<Integer, Long> received(int rank) {
        List<Long> told =
                results.isEmpty() ? List.of() : results.get(rank).stats().bytesReceivedFromCluster();
        if (told.isEmpty()) {
            return transferring ? world.control().bytesReceived(rank) : Map.of();
        }
        Map<Integer, Long> received = new TreeMap<>();
        for (int cluster = 0; cluster < Math.min(told.size(), world.clusters().size()); cluster++) {
            if (told.get(cluster) > 0) {
                received.put(cluster, told.get(cluster));
            }
        }
        return received;
    }

    /** Shows the last metrics, and no more. */
    @Override
    public void close() {
        Metrics opened;
        synchronized (this) {
            opened = metrics;
            metrics = null;
        }
        if (opened != null) {
            opened.close();
        }
    }
}
