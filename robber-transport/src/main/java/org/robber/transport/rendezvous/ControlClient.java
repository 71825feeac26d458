package org.robber.transport.rendezvous;

import io.netty.channel.EventLoop;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.transport.control.ControlCodec;
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
import org.robber.transport.control.ControlMessage.Release;
import org.robber.transport.control.ControlMessage.Roster;
import org.robber.transport.control.FirstFailure;
import org.robber.transport.sockets.Sockets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The control plane as one node sees it, rank 0 like all others: its messages go to rank 0, and decisions come from there.
 * All state belongs to one event loop; the methods of {@link ControlPlane} bring their work there.
 */
public final class ControlClient implements ControlPlane, ControlLinkListener {
    private static final Logger LOG = LoggerFactory.getLogger(ControlClient.class);
    /** More than the sum of the limits in {@link RankZeroConnection#leave} and of a confirmation. */
    private static final long LEAVE_LIMIT_SECONDS = 10;

    private final int rank;
    private final Roster roster;
    private final RankZeroConnection rankZero;
    private final @Nullable RankZeroControl control;
    private final EventLoop loop;

    private final FirstFailure failure = new FirstFailure();
    private final CompletableFuture<Void> left = new CompletableFuture<>();
    private final PendingCalls pendingCalls;
    private final ControlEvents events;
    private String phase = ControlFailures.JOB;
    private boolean leaving;

    /** @param control at rank 0; null at all other nodes */
    public ControlClient(
            int rank, Roster roster, RankZeroConnection rankZero, @Nullable RankZeroControl control, EventLoop loop) {
        this.rank = rank;
        this.roster = roster;
        this.rankZero = rankZero;
        this.control = control;
        this.loop = loop;
        this.pendingCalls = new PendingCalls(this, rankZero, failure);
        this.events = new ControlEvents(
                rank,
                e -> fail(new RobberException(
                        Reason.INTERNAL, List.of(rank), phase, "a publication could not be handled: " + e, e)));
        failure.listen(pendingCalls::end);
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public Roster roster() {
        return roster;
    }

    @Override
    public Optional<RankZeroControl> rankZero() {
        return Optional.ofNullable(control);
    }

    @Override
    public CollectiveCall begin(String call) {
        return pendingCalls.begin(call);
    }

    @Override
    public Optional<OpenCall> openCall() {
        return pendingCalls.oldestOpen();
    }

    @Override
    public long callsBegun() {
        return pendingCalls.begun();
    }

    @Override
    public void publish(String topic, byte[] payload) {
        Publish publish = new Publish(rank, topic, payload);
        // Refuses on the caller's thread a message that could not be sent.
        ControlCodec.encode(publish);
        onLoop(() -> sendToRankZero(publish));
    }

    @Override
    public void onPublish(PublicationListener listener) {
        onLoop(() -> events.onPublish(listener));
    }

    @Override
    public void callBack(int peer, long token) {
        CallBack call = new CallBack(rank, peer, token);
        onLoop(() -> {
            if (peer == 0 && pendingCalls.hasRankZeroLeft()) {
                // Rank 0 would have sent it back.
                events.received(call);
            } else {
                sendToRankZero(call);
            }
        });
    }

    @Override
    public void onCallBack(BiConsumer<Integer, Long> listener) {
        onLoop(() -> events.onCallBack(listener));
    }

    @Override
    public void onLeft(IntConsumer listener) {
        onLoop(() -> events.onLeft(listener));
    }

    @Override
    public void report(Progress progress) {
        onLoop(() -> {
            phase = progress.phase();
            sendToRankZero(progress);
        });
    }

    @Override
    public void onLost(BiConsumer<Integer, RobberException> listener) {
        onLoop(() -> events.onLost(listener));
    }

    @Override
    public void onJoined(BiConsumer<Integer, Member> listener) {
        onLoop(() -> events.onJoined(listener));
    }

    @Override
    public CompletableFuture<Integer> conclusion() {
        return events.conclusion();
    }

    @Override
    public void onFailure(Consumer<RobberException> listener) {
        onLoop(() -> {
            if (!leaving) {
                failure.listen(listener);
            }
        });
    }

    @Override
    public void fail(RobberException cause) {
        onLoop(() -> failHere(
                cause, ControlFailures.toMessage(cause, roster.members().size())));
    }

    @Override
    public void giveUp(RobberException cause) {
        onLoop(() -> failHere(cause, ControlFailures.toLost(rank, cause)));
    }

    @Override
    public CompletableFuture<Void> settled() {
        CompletableFuture<Void> settled = new CompletableFuture<>();
        boolean begun = onLoop(() -> {
            if (failure.isReported()) {
                failure.listen(answered -> settled.complete(null));
            } else {
                settled.complete(null);
            }
        });
        if (!begun) {
            settled.complete(null);
        }
        return settled;
    }

    @Override
    public void close() {
        if (!onLoop(this::leave) || loop.inEventLoop()) {
            return;
        }
        try {
            left.get(LEAVE_LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException | ExecutionException e) {
            LOG.warn("left the job without an end of its connections", e);
        }
    }

    /** Whether there still is a loop to do it. */
    boolean onLoop(Runnable work) {
        return Sockets.runOn(loop, work);
    }

    /** Sends to rank 0, unless this node has left or the job has failed; on the loop. */
    void sendToRankZero(ControlMessage message) {
        if (end() == null) {
            rankZero.send(message);
        }
    }

    /** Why nothing more can be sent, or null if it can; on the loop. */
    @Nullable
    RobberException end() {
        RobberException failed = failure.get();
        return failed != null || !leaving ? failed : leftInCall(phase);
    }

    RobberException leftInCall(String call) {
        return new RobberException(Reason.USAGE, List.of(rank), call, "rank " + rank + " has left the job itself");
    }

    private void failHere(RobberException cause, ControlMessage message) {
        if (!leaving) {
            failure.report(cause, () -> rankZero.send(message), loop);
        }
    }

    @Override
    public void received(ControlLink link, ControlMessage message) {
        received(message);
    }

    /** Handles a message from rank 0. */
    public void received(ControlMessage message) {
        if (message instanceof Release release) {
            pendingCalls.release(release, events.lostRanks());
        } else if (message instanceof Lost lost && lost.rank() == rank) {
            failure.set(ControlFailures.fromLost(lost));
        } else if (message instanceof Fail fail) {
            failure.set(ControlFailures.fromMessage(fail));
            events.conclusion().complete(Reason.ofExitCode(fail.code()).exitCode());
        } else if (message instanceof ControlMessage.Goodbye) {
            pendingCalls.rankZeroLeft(phase);
        } else {
            events.received(message);
        }
    }

    @Override
    public void ended(ControlLink link, String why) {
        RobberException lost = ControlFailures.lost(0, ControlFailures.who(0, roster), phase, why);
        events.conclusion().completeExceptionally(lost);
        if (!pendingCalls.hasRankZeroLeft() && !leaving) {
            failure.set(lost);
        }
    }

    /** This node makes this call next; on the loop. */
    void begins(String call) {
        phase = call;
    }

    private void leave() {
        if (leaving) {
            return;
        }
        leaving = true;
        events.end();
        failure.forgetListeners();
        pendingCalls.end(leftInCall(phase));
        if (failure.isReported()) {
            // The others must know it; rank 0's answer shows that they do.
            failure.listen(confirmed -> disconnect());
        } else {
            disconnect();
        }
    }

    private void disconnect() {
        var unused = rankZero.leave(failure.get() == null).thenRun(() -> left.complete(null));
    }
}
