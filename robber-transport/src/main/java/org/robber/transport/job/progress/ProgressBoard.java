package org.robber.transport.job.progress;

import static com.google.common.base.Preconditions.checkNotNull;

import io.netty.util.concurrent.ScheduledFuture;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.robber.JobControl.JobProgress;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.core.topology.DataPlacement;
import org.robber.transport.control.ControlMessage.Progress;
import org.robber.transport.job.peer.JobContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far all nodes are, by their reports to rank 0; with a watch for each multicast in which nothing has moved for too long, so that
 * no defect and no silent network can make the job wait for ever. The job then goes on without those whose storage hangs. If there are
 * none, it goes on without those that lack something; if that is everyone, it ends. As long as any node makes progress, no node is
 * blamed for being slow.
 */
public final class ProgressBoard {
    private static final Logger LOG = LoggerFactory.getLogger(ProgressBoard.class);

    private final JobContext context;
    private final LongSupplier nanoClock;

    /** When each node last said that its storage hangs. It says it again as long as that is so. */
    private final Map<Integer, Long> hungNanos = new TreeMap<>();

    private final BitSet lost = new BitSet();

    /** Multicasts that have begun and have not ended, by their phase. The last one is that which began last. */
    private final Map<String, MulticastWatch> running = new LinkedHashMap<>();

    /** The last report of each node on a multicast that this node has not begun yet, or that has ended. */
    private final Map<Integer, Progress> unwatched = new TreeMap<>();

    /** Nodes that starve in a multicast that this node has not begun yet. */
    private final Map<Integer, CopyWatch.Starved> early = new TreeMap<>();

    /** The multicast of which listeners are told; null if there was none since they were added. */
    private @Nullable MulticastWatch shown;

    private @Nullable RobberException distrust;

    /** Held while the listener is told, or what was the state before the end could reach it after the end. */
    private final Object telling = new Object();

    private @Nullable Consumer<JobProgress> listener;
    private @Nullable ScheduledFuture<?> tick;

    /** @param nanoClock a clock such as {@link System#nanoTime} */
    public ProgressBoard(JobContext context, LongSupplier nanoClock) {
        this.context = context;
        this.nanoClock = nanoClock;
        context.controlPlane().rankZero().ifPresent(control -> control.onProgress(this::heard));
    }

    /** Adds a listener to transfers that begin from now on. The progress of ended transfers is not kept. */
    public synchronized void listen(Consumer<JobProgress> newListener) {
        listener = newListener;
        if (running.isEmpty()) {
            shown = null;
        }
    }

    /**
     * At rank 0: a multicast begins. The last reports of nodes that have begun before count.
     *
     * @param phase names it, as in the reports of all nodes
     * @param rootRank or {@link NodeProgress#SEVERAL_ROOTS}
     */
    public synchronized void begin(String phase, long totalBytes, int rootRank) {
        MulticastWatch watch = new MulticastWatch(
                context,
                new NodeProgress(phase, totalBytes, rootRank, context.topology().size(), lost, nanoClock.getAsLong()));
        running.put(phase, watch);
        unwatched.forEach((rank, progress) -> {
            if (progress.phase().equals(phase)) {
                watch.heard(rank, progress, nanoClock.getAsLong());
            }
        });
        shown = watch;
        distrust = null;
        if (tick == null) {
            tick = context.sockets()
                    .group()
                    .next()
                    .scheduleAtFixedRate(
                            this::tick,
                            ProgressReports.PERIOD_MILLIS,
                            ProgressReports.PERIOD_MILLIS,
                            TimeUnit.MILLISECONDS);
        }
    }

    /** At rank 0, once this multicast has begun: watches whether the last copy of a piece is lost. */
    public synchronized void watchCopies(String phase, List<Integer> members, DataPlacement placement) {
        CopyWatch watch = new CopyWatch(members, placement);
        lost.stream().forEach(watch::lost);
        checkNotNull(running.get(phase), "%s has not begun", phase).watch(watch);
        // Only those that have got nothing since they starved are left.
        early.values().stream().filter(node -> node.phase().equals(phase)).forEach(watch::starved);
        early.clear();
    }

    /** The storage of a node hangs. */
    public synchronized void hangs(int rank) {
        hungNanos.put(rank, nanoClock.getAsLong());
    }

    /** A node lacks pieces that no peer offers it. */
    public synchronized void starved(CopyWatch.Starved node) {
        MulticastWatch watch = running.get(node.phase());
        if (watch == null || !watch.starved(node)) {
            early.put(node.rank(), node);
        }
    }

    /** Everyone has everything of this multicast: it is watched no more. Listeners hear of that when they are told next. */
    public synchronized void end(String phase) {
        MulticastWatch ended = running.remove(phase);
        if (ended != null) {
            ended.nodes().end();
        }
        if (running.isEmpty() && tick != null) {
            tick.cancel(false);
            tick = null;
        }
    }

    private synchronized void heard(int rank, Progress progress) {
        if (context.isJoiner(rank)) {
            // A node that waits for the joiner checks it itself. A member without progress is stalled, whatever joiners
            // receive.
            return;
        }
        MulticastWatch watch = running.get(progress.phase());
        if (watch == null) {
            unwatched.put(rank, progress);
        } else {
            watch.heard(rank, progress, nanoClock.getAsLong());
        }
        early.computeIfPresent(rank, (node, starved) -> starved.phase().equals(progress.phase()) ? null : starved);
    }

    /** The job goes on without this node. */
    public synchronized void lose(int rank) {
        if (!lost.get(rank)) {
            lost.set(rank);
            running.values().forEach(watch -> watch.lose(rank, nanoClock.getAsLong()));
        }
        // The others will say so again if they still starve.
        early.clear();
    }

    /** A peer takes nothing more from this node, because it sent corrupt data. */
    public synchronized void distrusted(int rank, String why) {
        distrust = new RobberException(
                Reason.INTEGRITY,
                List.of(rank),
                shown == null ? "" : shown.nodes().phase(),
                why);
    }

    /** The bytes that this node has, by its last report. */
    public synchronized long bytesDone(int rank) {
        return shown == null ? 0 : shown.nodes().bytesDone(rank);
    }

    /** The bytes that this node has received from each cluster, by its last report. */
    public synchronized Map<Integer, Long> bytesReceived(int rank) {
        return shown == null ? Map.of() : shown.nodes().bytesReceived(rank);
    }

    /** Tells the listener, and ends the job if nothing moves in one of the multicasts. */
    void tick() {
        tell();
        for (Standstill standstill : standstills()) {
            RobberException failure = standstill.failure();
            if (standstill.othersGoOn()) {
                context.controlPlane()
                        .rankZero()
                        .ifPresent(control -> failure.ranks().forEach(rank -> control.expel(rank, failure)));
            } else {
                context.controlPlane().fail(failure);
            }
        }
    }

    private synchronized List<Standstill> standstills() {
        long nowNanos = nanoClock.getAsLong();
        long limitNanos = context.stallTimeout().toNanos();
        List<Integer> hangingNow = hungNanos.entrySet().stream()
                .filter(node -> !lost.get(node.getKey()) && nowNanos - node.getValue() <= limitNanos)
                .map(Map.Entry::getKey)
                .toList();
        return running.values().stream()
                .map(watch -> watch.judge(nowNanos, hangingNow, distrust))
                .filter(Objects::nonNull)
                .toList();
    }

    /** Tells the listener how far all nodes are. */
    public void tell() {
        synchronized (telling) {
            @Nullable Consumer<JobProgress> told;
            @Nullable JobProgress now;
            synchronized (this) {
                told = listener;
                // when all receivers are lost, the last word is how far they came
                now = shown == null || shown.nodes().lacksReceivers()
                        ? null
                        : shown.nodes().summary();
                showRunning();
            }
            if (told != null && now != null) {
                try {
                    told.accept(now);
                } catch (RuntimeException e) {
                    // The watch for standstills, which runs by the same timer, must go on.
                    LOG.warn("a listener of the progress has failed", e);
                }
            }
        }
    }

    /** A multicast that has ended is shown once. */
    private void showRunning() {
        if (!running.containsValue(shown)) {
            running.values().forEach(watch -> shown = watch);
        }
    }
}
