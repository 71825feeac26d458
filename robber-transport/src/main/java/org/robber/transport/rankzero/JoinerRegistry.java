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
import org.robber.transport.join.JoinerControl;
import org.robber.transport.sockets.Sockets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Nodes that have joined a running job, as rank 0 sees them. They take part in no call and can't end the job; but while some lack
 * something, the end of the multicast is held back for them, as long as anything comes to them. Belongs to one event loop, but
 * for {@link JoinerControl}.
 */
final class JoinerRegistry implements ControlLinkListener, JoinerControl {
    private static final Logger LOG = LoggerFactory.getLogger(JoinerRegistry.class);
    private static final String PHASE = "join";
    private static final int LOOKS_PER_LIMIT = 8;

    /** How long those that have everything may take for the rest when the job is in a hurry. */
    private static final long HURRY_MILLIS = 2000;

    private final JobOptions options;
    private final EventLoop loop;
    private final JoinAdmission admission;
    private final Map<ControlLink, JoinerState> nodes = new LinkedHashMap<>();
    private List<Member> members = List.of();
    private Consumer<ControlMessage> tellMembers = message -> {};
    private BiConsumer<Integer, Progress> reports = (rank, progress) -> {};
    /** What happens when none is waited for any more; null if nobody waits. */
    private @Nullable Runnable settled;

    private @Nullable CompletableFuture<List<JoinedNode>> released;
    private volatile boolean holdsBack;
    private boolean looksLater;
    /** Somebody has dropped those that were not done: there is no time to wait for the others either. */
    private boolean hurries;

    public JoinerRegistry(JobOptions options, EventLoop loop) {
        this.options = options;
        this.loop = loop;
        this.admission = new JoinAdmission(options.job(), this);
    }

    /** Who may join. */
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
        reports = progress;
        admission.begin(roster, forOthers);
    }

    /** Those that have joined, by rank. */
    public List<Member> members() {
        return nodes.values().stream().map(node -> node.member).toList();
    }

    private Topology everyone() {
        List<String> clusters = new ArrayList<>();
        members.forEach(member -> clusters.add(member.cluster()));
        members().forEach(member -> clusters.add(member.cluster()));
        return Topology.of(clusters);
    }

    /** A node is let in. */
    public void add(ControlLink link, JoinerState node) {
        nodes.put(link, node);
        link.handTo(this, ControlFrames.FROM_JOINER);
        LOG.info("{} joins", node.describe(everyone()));
        tellMembers.accept(new ControlMessage.Joined(node.rank, node.member));
    }

    /** All have come to the end of this call: if that is what nodes could join, none is let in any more, and this follows later. */
    public void settle(long endedCall, Runnable then) {
        if (!admission.close(endedCall)) {
            then.run();
            return;
        }
        settled = then;
        holdsBack = true;
        nodes.values().forEach(node -> node.movedNanos = System.nanoTime());
        look();
    }

    /** Goes on as soon as nobody lacks anything but those to which nothing has come for too long. */
    private void look() {
        Runnable then = settled;
        if (then == null) {
            return;
        }
        long now = System.nanoTime();
        nodes.forEach((link, node) -> {
            if (node.isUnderWay()
                    && now - node.movedNanos >= options.stallTimeout().toNanos()) {
                String why = "nothing has come to it for " + ControlFailures.seconds(options.stallTimeout());
                drop(link, node, node.lost(everyone(), PHASE, why));
            }
        });
        if (nodes.values().stream().noneMatch(JoinerState::isUnderWay)) {
            settled = null;
            holdsBack = false;
            then.run();
        } else if (!looksLater) {
            LOG.info("all members have everything; nodes that joined are waited for");
            looksLater = true;
            long periodMillis = Math.max(1, options.stallTimeout().toMillis() / LOOKS_PER_LIMIT);
            var unused = loop.schedule(this::lookAgain, periodMillis, TimeUnit.MILLISECONDS);
        }
    }

    private void lookAgain() {
        looksLater = false;
        look();
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
                node.movedNanos = System.nanoTime();
                reports.accept(node.rank, progress);
            }
        } else if (message instanceof Publish said && said.topic().equals(JoinerConnection.COMPLETE)) {
            node.complete = true;
            look();
        } else if (message instanceof Publish said && said.topic().equals(JoinerConnection.RESULT)) {
            node.result = said.payload();
            endRelease();
        } else if (message instanceof Lost lost) {
            // Of itself: no joiner has a say about another.
            fail(node, ControlFailures.fromLost(new Lost(node.rank, lost.code(), lost.phase(), lost.text())));
        }
    }

    private void fail(JoinerState node, RobberException why) {
        LOG.info("a node that joined is gone: {}", why.getMessage());
        node.failure = why;
        look();
        endRelease();
    }

    @Override
    public void ended(ControlLink link, String why) {
        JoinerState node = nodes.get(link);
        if (node != null && !node.isThrough()) {
            fail(node, node.lost(everyone(), PHASE, why));
        }
    }

    /** A member is lost: those that have joined hear of it, and those that will. */
    public void memberLost(Lost lost) {
        admission.lost(lost);
        tell(lost);
    }

    /** The job has failed, and so have those that joined. */
    public void jobFailed(Fail failure) {
        tell(failure);
        admission.fail(failure);
        settled = null;
        if (released != null) {
            released.complete(outcomes());
        }
    }

    private void tell(ControlMessage message) {
        nodes.keySet().forEach(link -> link.send(message));
    }

    /** Rank 0 leaves. */
    public void end() {
        admission.closeForGood();
        nodes.keySet().forEach(link -> link.finish(new ControlMessage.Goodbye()));
    }

    @Override
    public boolean isWaiting() {
        return holdsBack;
    }

    @Override
    public void drop(RobberException why) {
        Sockets.runOn(loop, () -> {
            hurries = true;
            nodes.forEach((link, node) -> {
                if (node.isUnderWay() || (released != null && !node.isThrough())) {
                    drop(link, node, why);
                }
            });
            look();
            endRelease();
        });
    }

    @Override
    public CompletableFuture<List<JoinedNode>> release(byte[] digestOfAll) {
        CompletableFuture<List<JoinedNode>> release = new CompletableFuture<>();
        if (!Sockets.runOn(loop, () -> release(digestOfAll, release))) {
            release.complete(ImmutableList.of());
        }
        return release;
    }

    private void release(byte[] digestOfAll, CompletableFuture<List<JoinedNode>> release) {
        admission.closeForGood();
        released = release;
        nodes.forEach((link, node) -> {
            if (node.complete && node.failure == null) {
                link.send(new Publish(JoinerConnection.RELEASE, digestOfAll));
            }
        });
        long stallMillis = options.stallTimeout().toMillis();
        long limitMillis = hurries ? Math.min(HURRY_MILLIS, stallMillis) : stallMillis;
        var limit = loop.schedule(() -> releaseIsOverdue(limitMillis), limitMillis, TimeUnit.MILLISECONDS);
        var unused = release.thenRun(() -> limit.cancel(false));
        endRelease();
    }

    private void releaseIsOverdue(long limitMillis) {
        String why = "it did not say within " + ControlFailures.seconds(Duration.ofMillis(limitMillis))
                + " what became of its copy, which may be in place or not";
        nodes.forEach((link, node) -> {
            if (!node.isThrough()) {
                drop(link, node, node.lost(everyone(), PHASE, why));
            }
        });
        endRelease();
    }

    private void endRelease() {
        if (released != null && nodes.values().stream().allMatch(JoinerState::isThrough)) {
            released.complete(outcomes());
        }
    }

    private List<JoinedNode> outcomes() {
        Topology everyone = everyone();
        return nodes.values().stream().map(node -> node.outcome(everyone)).toList();
    }
}
