package org.robber.transport.rankzero;

import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.robber.JobOptions;
import org.robber.JoinedNode;
import org.robber.RobberException;
import org.robber.core.topology.Topology;
import org.robber.transport.control.ControlFailures;
import org.robber.transport.control.ControlLink;
import org.robber.transport.control.ControlLinkListener;
import org.robber.transport.control.ControlMessage;
import org.robber.transport.control.ControlMessage.CallBack;
import org.robber.transport.control.ControlMessage.Fail;
import org.robber.transport.control.ControlMessage.Lost;
import org.robber.transport.control.ControlMessage.Member;
import org.robber.transport.control.ControlMessage.Progress;
import org.robber.transport.control.ControlMessage.Publish;
import org.robber.transport.control.ControlMessage.Roster;
import org.robber.transport.control.ControlType;
import org.robber.transport.join.JoinableMulticast;
import org.robber.transport.join.JoinerConnection;
import org.robber.transport.rendezvous.RankZeroControl;
import org.robber.transport.sockets.AwakeClock;
import org.robber.transport.sockets.Sockets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Nodes that have joined a running job, as rank 0 sees them. They take part in no call and cannot end the job. The end of the multicast
 * waits for joiners that lack pieces, as long as pieces come to them. Belongs to one event loop, but for the methods that say otherwise.
 */
final class JoinerRegistry implements ControlLinkListener, RankZeroControl.Joiners {
    private static final Logger LOG = LoggerFactory.getLogger(JoinerRegistry.class);
    private static final int CHECKS_PER_LIMIT = 8;

    private final Duration stallTimeout;
    private final EventLoop loop;
    private final LongSupplier nanoClock;
    private final JoinAdmission admission;
    private final Map<ControlLink, JoinerState> nodes = new LinkedHashMap<>();
    private final JoinerRelease release;
    private List<Member> members = List.of();
    private Consumer<ControlMessage> tellMembers = message -> {};
    private BiConsumer<Integer, Progress> progressListener = (rank, progress) -> {};
    private BiConsumer<Integer, CallBack> callBackListener = (rank, call) -> {};
    /** Run when no joiner is waited for any more; null if the job does not wait. */
    private volatile @Nullable Runnable afterJoiners;

    /** Size of the data that nodes may join. */
    private long totalBytes;

    private boolean checkScheduled;

    public JoinerRegistry(JobOptions options, EventLoop loop) {
        this.stallTimeout = options.stallTimeout();
        this.loop = loop;
        this.nanoClock = new AwakeClock(System::nanoTime, stallTimeout.dividedBy(CHECKS_PER_LIMIT / 2));
        this.admission = new JoinAdmission(options.job(), this);
        this.release = new JoinerRelease(nodes.values(), this::everyone, stallTimeout, loop);
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
     * @param progress gets the reports of joiners with their ranks, which are above those of the members
     * @param callBacks gets the requests of joiners to be connected to
     */
    public void begin(
            Roster roster,
            Roster forOthers,
            Consumer<ControlMessage> toMembers,
            BiConsumer<Integer, Progress> progress,
            BiConsumer<Integer, CallBack> callBacks) {
        members = roster.members();
        tellMembers = toMembers;
        progressListener = progress;
        callBackListener = callBacks;
        admission.begin(roster, forOthers);
    }

    /** The nodes that have joined, by rank. */
    public List<Member> members() {
        return nodes.values().stream().map(node -> node.member).toList();
    }

    private Topology everyone() {
        return Topology.of(Stream.concat(members.stream(), members().stream())
                .map(Member::cluster)
                .toList());
    }

    /** A node is admitted. */
    public void add(JoinerState node) {
        nodes.put(node.link, node);
        node.link.handTo(this, ControlType.FROM_JOINER);
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
        long now = nanoClock.getAsLong();
        nodes.values().forEach(node -> node.lastProgressNanos = now);
        endCallWhenComplete();
        if (afterJoiners != null) {
            LOG.info("all members have everything; nodes that joined are waited for");
        }
    }

    /** Drops joiners to which nothing has come for too long; ends the call when no other joiner lacks pieces. */
    private void endCallWhenComplete() {
        Runnable then = afterJoiners;
        if (then == null) {
            return;
        }
        long now = nanoClock.getAsLong();
        String why = "nothing has come to it for " + ControlFailures.seconds(stallTimeout);
        for (JoinerState node : nodes.values()) {
            if (node.isIncomplete() && now - node.lastProgressNanos >= stallTimeout.toNanos()) {
                node.drop(node.lost(everyone(), why));
            }
        }
        if (nodes.values().stream().noneMatch(JoinerState::isIncomplete)) {
            afterJoiners = null;
            then.run();
        } else if (!checkScheduled) {
            checkScheduled = true;
            long periodMillis = Math.max(1, stallTimeout.toMillis() / CHECKS_PER_LIMIT);
            var unused = loop.schedule(this::checkAgain, periodMillis, TimeUnit.MILLISECONDS);
        }
    }

    private void checkAgain() {
        checkScheduled = false;
        endCallWhenComplete();
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
            // Only what has to end keeps the job waiting.
            if (progress.bytesDone() > node.bytesDone && progress.bytesDone() <= totalBytes) {
                node.bytesDone = progress.bytesDone();
                node.lastProgressNanos = nanoClock.getAsLong();
                progressListener.accept(node.rank, progress);
            }
        } else if (message instanceof Publish publish && publish.topic().equals(JoinerConnection.COMPLETE)) {
            node.complete = true;
            endCallWhenComplete();
        } else if (message instanceof Publish publish && publish.topic().equals(JoinerConnection.RESULT)) {
            node.result = publish.payload();
            release.endIfFinished();
        } else if (message instanceof CallBack call) {
            callBackListener.accept(node.rank, call);
        } else if (message instanceof Lost lost) {
            // The rank in the message is ignored: a joiner reports only itself.
            fail(node, ControlFailures.fromLost(new Lost(node.rank, lost.code(), lost.phase(), lost.text())));
        }
    }

    private void fail(JoinerState node, RobberException why) {
        LOG.info("a node that joined is gone: {}", why.getMessage());
        node.failure = why;
        endCallWhenComplete();
        release.endIfFinished();
    }

    @Override
    public void ended(ControlLink link, String why) {
        JoinerState node = nodes.get(link);
        if (node != null && !node.isFinished()) {
            fail(node, node.lost(everyone(), why));
        }
    }

    /** A member is lost: joiners get the message, and nodes that join later. */
    public void memberLost(Lost lost) {
        admission.lost(lost);
        sendToJoiners(lost);
    }

    /** The job has failed, and so have its joiners. */
    public void jobFailed(Fail failure) {
        sendToJoiners(failure);
        admission.fail(failure);
        afterJoiners = null;
        release.end();
    }

    private void sendToJoiners(ControlMessage message) {
        nodes.keySet().forEach(link -> link.send(message));
    }

    /** Rank 0 leaves. */
    public void end() {
        admission.closePermanently();
        nodes.keySet().forEach(link -> link.finish(new ControlMessage.Goodbye()));
    }

    @Override
    public void letJoin(long call, JoinableMulticast offer) {
        Sockets.runOn(loop, () -> open(call, offer));
    }

    /** From now on nodes may join this multicast. */
    void open(long call, JoinableMulticast offer) {
        totalBytes = offer.begin().totalBytes();
        admission.open(call, offer);
    }

    @Override
    public void refuse(String why) {
        Sockets.runOn(loop, () -> admission.refuseAll(why));
    }

    @Override
    public boolean isWaiting() {
        return afterJoiners != null;
    }

    @Override
    public void drop(RobberException why) {
        Sockets.runOn(loop, () -> {
            // Or the end would wait for the next one that comes.
            admission.closePermanently();
            release.drop(why);
            endCallWhenComplete();
        });
    }

    @Override
    public CompletableFuture<List<JoinedNode>> release(byte[] digestOfAll) {
        CompletableFuture<List<JoinedNode>> released = new CompletableFuture<>();
        boolean begun = Sockets.runOn(loop, () -> {
            admission.closePermanently();
            release.begin(digestOfAll, released);
        });
        if (!begun) {
            released.complete(List.of());
        }
        return released;
    }
}
