package org.robber.transport.job.progress;

import io.netty.util.concurrent.ScheduledFuture;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
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
 * How far all nodes are, by their reports to rank 0; with a watch for transfers in which nothing has moved for too long, so that
 * no defect and no silent network can make the job wait for ever. The job then goes on without those whose storage hangs. If there are
 * none, it goes on without those that lack something; if that is everyone, it ends. As long as any node makes progress, no node is
 * blamed for being slow.
 */
public final class ProgressBoard {
    private static final Logger LOG = LoggerFactory.getLogger(ProgressBoard.class);

    private final JobContext context;
    private final LongSupplier nanoClock;
    private final NodeProgress nodes;
    private boolean running;
    private @Nullable RobberException distrust;
    private @Nullable CopyWatch copies;

    /** Reports on a multicast that this node has not begun yet. */
    private final Map<Integer, CopyWatch.Starved> early = new TreeMap<>();

    /** Held while the listener is told, or what was the state before the end could reach it after the end. */
    private final Object telling = new Object();

    private @Nullable Consumer<JobProgress> listener;
    private @Nullable ScheduledFuture<?> tick;

    /** @param nanoClock a clock such as {@link System#nanoTime} */
    public ProgressBoard(JobContext context, LongSupplier nanoClock) {
        this.context = context;
        this.nanoClock = nanoClock;
        this.nodes = new NodeProgress(context.topology().size());
        context.controlPlane().rankZero().ifPresent(control -> control.onProgress(this::heard));
    }

    /** Adds a listener to transfers that begin from now on. The progress of ended transfers is not kept. */
    public synchronized void listen(Consumer<JobProgress> newListener) {
        listener = newListener;
        if (!running) {
            nodes.clear();
        }
    }

    /**
     * At rank 0: a multicast begins.
     *
     * @param newRootRank or {@link NodeProgress#SEVERAL_ROOTS}
     */
    public synchronized void begin(String newPhase, long newTotalBytes, int newRootRank) {
        nodes.begin(newPhase, newTotalBytes, newRootRank, nanoClock.getAsLong());
        distrust = null;
        running = true;
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

    /** At rank 0, once a multicast has begun: watches whether the last copy of a piece is lost. */
    public synchronized void watchCopies(List<Integer> members, DataPlacement placement) {
        CopyWatch watch = new CopyWatch(members, placement);
        nodes.lost().stream().forEach(watch::lost);
        nodes.began().stream().forEach(rank -> watch.progressed(rank, nodes.isDone(rank)));
        // Only those that have got nothing since they starved are left.
        early.values().stream()
                .filter(node -> node.phase().equals(nodes.phase()))
                .forEach(watch::starved);
        early.clear();
        copies = watch;
    }

    /** The storage of a node hangs. */
    public synchronized void hangs(int rank) {
        nodes.hangs(rank, nanoClock.getAsLong());
    }

    /** A node lacks pieces that no peer offers it. */
    public synchronized void starved(CopyWatch.Starved node) {
        CopyWatch watch = copies;
        if (watch != null && node.phase().equals(nodes.phase())) {
            watch.starved(node);
        } else {
            early.put(node.rank(), node);
        }
    }

    /** At rank 0: everyone has everything. */
    public void end() {
        synchronized (this) {
            running = false;
            copies = null;
            nodes.end();
            if (tick != null) {
                tick.cancel(false);
                tick = null;
            }
        }
        tell();
    }

    private synchronized void heard(int rank, Progress progress) {
        if (context.isJoiner(rank)) {
            // A node that waits for the joiner checks it itself. A member without progress is stalled, whatever joiners
            // receive.
            return;
        }
        if (nodes.heard(rank, progress, nanoClock.getAsLong()) && copies != null) {
            copies.progressed(rank, nodes.isDone(rank));
        }
        early.computeIfPresent(rank, (node, starved) -> starved.phase().equals(progress.phase()) ? null : starved);
    }

    /** The job goes on without this node. */
    public synchronized void lose(int rank) {
        if (nodes.lose(rank, nanoClock.getAsLong()) && copies != null) {
            copies.lost(rank);
        }
        // The others will say so again if they still starve.
        early.clear();
    }

    /** A peer takes nothing more from this node, because it sent corrupt data. */
    public synchronized void distrusted(int rank, String why) {
        distrust = new RobberException(Reason.INTEGRITY, List.of(rank), nodes.phase(), why);
    }

    /** The bytes that this node has, by its last report. */
    public synchronized long bytesDone(int rank) {
        return nodes.bytesDone(rank);
    }

    /** The bytes that this node has received from each cluster, by its last report. */
    public synchronized Map<Integer, Long> bytesReceived(int rank) {
        return nodes.bytesReceived(rank);
    }

    /** Tells the listener, and ends the job if nothing moves. */
    void tick() {
        tell();
        RobberException gone = gone();
        if (gone != null) {
            context.controlPlane().fail(gone);
            return;
        }
        Standstill standstill = standstill();
        if (standstill == null) {
            return;
        }
        RobberException failure = standstill.failure();
        if (standstill.othersGoOn()) {
            context.controlPlane()
                    .rankZero()
                    .ifPresent(control -> failure.ranks().forEach(rank -> control.expel(rank, failure)));
        } else {
            RobberException cause = distrust();
            context.controlPlane().fail(cause == null ? failure : cause);
        }
    }

    private synchronized @Nullable RobberException gone() {
        CopyWatch watch = copies;
        String pieces = watch == null || !running ? null : watch.gone();
        if (watch == null || pieces == null) {
            return null;
        }
        String names = watch.lost().stream().map(context::describe).collect(Collectors.joining(", "));
        return new RobberException(
                Reason.NETWORK,
                watch.lost(),
                nodes.phase(),
                pieces + " were lost during '" + nodes.phase() + "' with the nodes that had them: " + names);
    }

    private synchronized @Nullable RobberException distrust() {
        return distrust;
    }

    private void tell() {
        synchronized (telling) {
            Consumer<JobProgress> told;
            JobProgress now;
            boolean anyLost;
            synchronized (this) {
                told = listener;
                now = now();
                // when all receivers are lost, the last word is how far they came
                anyLost = !nodes.lost().isEmpty();
            }
            if (told != null && !(now.nodes() == 0 && anyLost)) {
                try {
                    told.accept(now);
                } catch (RuntimeException e) {
                    // The watch for standstills, which runs by the same timer, must go on.
                    LOG.warn("a listener of the progress has failed", e);
                }
            }
        }
    }

    private synchronized JobProgress now() {
        return nodes.summary();
    }

    private synchronized @Nullable Standstill standstill() {
        long nowNanos = nanoClock.getAsLong();
        long limitNanos = context.stallTimeout().toNanos();
        if (!running || nodes.silentNanos(nowNanos) < limitNanos) {
            return null;
        }
        // A node may hang in the multicast of another channel, and so never begin this one.
        List<Integer> hanging = nodes.hangingSince(nowNanos - limitNanos);
        if (!hanging.isEmpty()) {
            return Standstill.ofHangingStorages(hanging, nodes, context);
        }
        if (!nodes.haveAllBegun()) {
            return null;
        }
        boolean joinersAreLate = context.controlPlane()
                .rankZero()
                .map(control -> control.joiners().isWaiting())
                .orElse(false);
        if (nodes.late().isEmpty() && joinersAreLate) {
            // For joiners, each of which has its own limit; when the last of them reaches it, all others still have to
            // end.
            nodes.excuseSilence(nowNanos);
            return null;
        }
        return Standstill.ofLateNodes(nodes, context);
    }
}
