package org.robber.transport.rankzero;

import com.google.common.collect.ImmutableList;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.robber.JobOptions;
import org.robber.JoinedNode;
import org.robber.RobberException;
import org.robber.core.topology.Topology;
import org.robber.transport.control.ControlFailures;
import org.robber.transport.control.ControlFrames;
import org.robber.transport.control.ControlLink;
import org.robber.transport.control.ControlLinkListener;
import org.robber.transport.control.ControlMessage;
import org.robber.transport.control.ControlMessage.Fail;
import org.robber.transport.control.ControlMessage.Lost;
import org.robber.transport.control.ControlMessage.Member;
import org.robber.transport.control.ControlMessage.Progress;
import org.robber.transport.control.ControlMessage.Publish;
import org.robber.transport.control.ControlMessage.Roster;
import org.robber.transport.join.JoinerConnection;
import org.robber.transport.rendezvous.RankZeroControl;
import org.robber.transport.sockets.Sockets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Nodes that have joined a running job, as rank 0 sees them. They take part in no call and cannot end the job. The end of the multicast
 * waits for joiners that lack pieces, as long as pieces come to them. Belongs to one event loop, but for the methods that say otherwise.
 */
final class JoinerRegistry implements ControlLinkListener {
    private static final Logger LOG = LoggerFactory.getLogger(JoinerRegistry.class);
    private static final String PHASE = "join";
    private static final int CHECKS_PER_LIMIT = 8;

    /** How long complete joiners may take for their results after others were dropped. */
    private static final long DROPPED_LIMIT_MILLIS = 2000;

    private final JobOptions options;
    private final EventLoop loop;
    private final JoinAdmission admission;
    private final Map<ControlLink, JoinerState> nodes = new LinkedHashMap<>();
    private List<Member> members = List.of();
    private Consumer<ControlMessage> tellMembers = message -> {};
    private BiConsumer<Integer, Progress> progressListener = (rank, progress) -> {};
    /** Run when no joiner is waited for any more; null if the job does not wait. */
    private @Nullable Runnable afterJoiners;

    private @Nullable CompletableFuture<List<JoinedNode>> released;
    private volatile boolean waiting;
    private boolean checkScheduled;
    /** The job has dropped joiners: there is no time to wait long for the others either. */
    private boolean dropped;

    public JoinerRegistry(JobOptions options, EventLoop loop) {
        this.options = options;
        this.loop = loop;
        this.admission = new JoinAdmission(options.job(), this);
    }

    /** Admits joiners. */
    public JoinAdmission admission() {
        return admission;
    }

    /**
     * All members are there.
     *
     * @param forOthers the roster with the addresses of rank 0's machine left out
     * @param toMembers sends to all of them, rank 0 included
     * @param progress told how far joiners are, by their ranks, which are above those of the members
     */
    public void begin(
            Roster roster,
            Roster forOthers,
            Consumer<ControlMessage> toMembers,
            BiConsumer<Integer, Progress> progress) {
        members = roster.members();
        tellMembers = toMembers;
        progressListener = progress;
        admission.begin(roster, forOthers);
    }

    /** The nodes that have joined, by rank. */
    public List<Member> members() {
        return nodes.values().stream().map(node -> node.member).toList();
    }

    private Topology everyone() {
        List<String> clusters = new ArrayList<>();
        members.forEach(member -> clusters.add(member.cluster()));
        members().forEach(member -> clusters.add(member.cluster()));
        return Topology.of(clusters);
    }

    /** A node is admitted. */
    public void add(ControlLink link, JoinerState node) {
        nodes.put(link, node);
        link.handTo(this, ControlFrames.FROM_JOINER);
        LOG.info("{} joins", node.describe(everyone()));
        tellMembers.accept(new ControlMessage.Joined(node.rank, node.member));
    }

    /** All members have come to the end of this call. If nodes could join it, none may any more, and {@code then} runs when joiners are complete. */
    public void awaitJoiners(long endedCall, Runnable then) {
        if (!admission.close(endedCall)) {
            then.run();
            return;
        }
        afterJoiners = then;
        waiting = true;
        nodes.values().forEach(node -> node.lastProgressNanos = System.nanoTime());
        endCallWhenComplete();
    }

    /** Drops joiners to which nothing has come for too long; ends the call when no other joiner lacks pieces. */
    private void endCallWhenComplete() {
        Runnable then = afterJoiners;
        if (then == null) {
            return;
        }
        long now = System.nanoTime();
        nodes.forEach((link, node) -> {
            if (node.isIncomplete()
                    && now - node.lastProgressNanos >= options.stallTimeout().toNanos()) {
                String why = "nothing has come to it for " + ControlFailures.seconds(options.stallTimeout());
                drop(link, node, node.lost(everyone(), PHASE, why));
            }
        });
        if (nodes.values().stream().noneMatch(JoinerState::isIncomplete)) {
            afterJoiners = null;
            waiting = false;
            then.run();
        } else if (!checkScheduled) {
            LOG.info("all members have everything; nodes that joined are waited for");
            checkScheduled = true;
            long periodMillis = Math.max(1, options.stallTimeout().toMillis() / CHECKS_PER_LIMIT);
            var unused = loop.schedule(this::checkAgain, periodMillis, TimeUnit.MILLISECONDS);
        }
    }

    private void checkAgain() {
        checkScheduled = false;
        endCallWhenComplete();
    }

    private static void drop(ControlLink link, JoinerState node, RobberException why) {
        LOG.warn("goes on without a node that joined: {}", why.getMessage());
        node.failure = why;
        link.finish(ControlFailures.toLost(node.rank, why));
    }

    @Override
    public void received(ControlLink link, ControlMessage message) {
        JoinerState node = nodes.get(link);
        if (message instanceof ControlMessage.Goodbye) {
            link.close("it left");
        }
        if (node == null || node.failure != null) {
            return;
        }
        if (message instanceof Progress progress) {
            if (progress.bytesDone() != node.bytesDone) {
                node.bytesDone = progress.bytesDone();
                node.lastProgressNanos = System.nanoTime();
                progressListener.accept(node.rank, progress);
            }
        } else if (message instanceof Publish said && said.topic().equals(JoinerConnection.COMPLETE)) {
            node.complete = true;
            endCallWhenComplete();
        } else if (message instanceof Publish said && said.topic().equals(JoinerConnection.RESULT)) {
            node.result = said.payload();
            endRelease();
        } else if (message instanceof Lost lost) {
            // The rank in the message is ignored: a joiner reports only itself.
            fail(node, ControlFailures.fromLost(new Lost(node.rank, lost.code(), lost.phase(), lost.text())));
        }
    }

    private void fail(JoinerState node, RobberException why) {
        LOG.info("a node that joined is gone: {}", why.getMessage());
        node.failure = why;
        endCallWhenComplete();
        endRelease();
    }

    @Override
    public void ended(ControlLink link, String why) {
        JoinerState node = nodes.get(link);
        if (node != null && !node.isFinished()) {
            fail(node, node.lost(everyone(), PHASE, why));
        }
    }

    /** A member is lost: nodes that have joined are told, and nodes that join later. */
    public void memberLost(Lost lost) {
        admission.lost(lost);
        sendToJoiners(lost);
    }

    /** The job has failed, and so have its joiners. */
    public void jobFailed(Fail failure) {
        sendToJoiners(failure);
        admission.fail(failure);
        afterJoiners = null;
        if (released != null) {
            released.complete(outcomes());
        }
    }

    private void sendToJoiners(ControlMessage message) {
        nodes.keySet().forEach(link -> link.send(message));
    }

    /** Rank 0 leaves. */
    public void end() {
        admission.closePermanently();
        nodes.keySet().forEach(link -> link.finish(new ControlMessage.Goodbye()));
    }

    /** See {@link RankZeroControl#isWaitingForJoiners}. Thread-safe. */
    boolean isWaiting() {
        return waiting;
    }

    /** See {@link RankZeroControl#dropJoiners}. Thread-safe. */
    void drop(RobberException why) {
        Sockets.runOn(loop, () -> {
            dropped = true;
            nodes.forEach((link, node) -> {
                if (node.isIncomplete() || (released != null && !node.isFinished())) {
                    drop(link, node, why);
                }
            });
            endCallWhenComplete();
            endRelease();
        });
    }

    /** See {@link RankZeroControl#releaseJoiners}. Thread-safe. */
    CompletableFuture<List<JoinedNode>> release(byte[] digestOfAll) {
        CompletableFuture<List<JoinedNode>> release = new CompletableFuture<>();
        if (!Sockets.runOn(loop, () -> release(digestOfAll, release))) {
            release.complete(ImmutableList.of());
        }
        return release;
    }

    private void release(byte[] digestOfAll, CompletableFuture<List<JoinedNode>> release) {
        admission.closePermanently();
        released = release;
        nodes.forEach((link, node) -> {
            if (node.complete && node.failure == null) {
                link.send(new Publish(JoinerConnection.RELEASE, digestOfAll));
            }
        });
        long stallMillis = options.stallTimeout().toMillis();
        long limitMillis = dropped ? Math.min(DROPPED_LIMIT_MILLIS, stallMillis) : stallMillis;
        var limit = loop.schedule(() -> releaseIsOverdue(limitMillis), limitMillis, TimeUnit.MILLISECONDS);
        var unused = release.thenRun(() -> limit.cancel(false));
        endRelease();
    }

    private void releaseIsOverdue(long limitMillis) {
        String why = "it did not say within " + ControlFailures.seconds(Duration.ofMillis(limitMillis))
                + " what became of its copy, which may be in place or not";
        nodes.forEach((link, node) -> {
            if (!node.isFinished()) {
                drop(link, node, node.lost(everyone(), PHASE, why));
            }
        });
        endRelease();
    }

    private void endRelease() {
        if (released != null && nodes.values().stream().allMatch(JoinerState::isFinished)) {
            released.complete(outcomes());
        }
    }

    private List<JoinedNode> outcomes() {
        Topology everyone = everyone();
        return nodes.values().stream().map(node -> node.outcome(everyone)).toList();
    }
}
