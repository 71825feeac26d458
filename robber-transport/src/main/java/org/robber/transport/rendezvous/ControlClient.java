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
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.transport.control.ControlCodec;
import org.robber.transport.control.ControlFailures;
import org.robber.transport.control.ControlLink;
import org.robber.transport.control.ControlLinkListener;
import org.robber.transport.control.ControlMessage;
import org.robber.transport.control.ControlMessage.Fail;
import org.robber.transport.control.ControlMessage.Joined;
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
    /** How long rank 0 may take to say which failure was the first, before this node believes in its own. */
    private static final long CONFIRM_LIMIT_SECONDS = 2;
    /** More than all that leaving waits for, in turn. */
    private static final long LEAVE_LIMIT_SECONDS = 10;

    /** Topic of the exit code, for nodes that gave up and wait for it. */
    public static final String CONCLUSION = "exit code";

    private final int rank;
    private final Roster roster;
    private final RankZeroConnection rankZero;
    private final @Nullable RankZeroControl control;
    private final EventLoop loop;

    private final FirstFailure failure = new FirstFailure();
    private final CompletableFuture<Void> left = new CompletableFuture<>();
    private final PendingCalls pendingCalls;
    private final ControlEvents events;
    private final CompletableFuture<Integer> conclusion = new CompletableFuture<>();
    private @Nullable RobberException ownFailure;
    private String phase = "the start";
    private boolean leaving;
    private boolean rankZeroLeft;

    /** @param control at rank 0; null at all other nodes */
    public ControlClient(
            int rank, Roster roster, RankZeroConnection rankZero, @Nullable RankZeroControl control, EventLoop loop) {
        this.rank = rank;
        this.roster = roster;
        this.rankZero = rankZero;
        this.control = control;
        this.loop = loop;
        this.pendingCalls = new PendingCalls(this, rankZero);
        this.events = new ControlEvents(e -> failHere(new RobberException(
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
        checkEncodable(new ControlMessage.Call(0, call));
        return pendingCalls.begin(call);
    }

    @Override
    public void publish(String topic, byte[] payload) {
        Publish publish = new Publish(topic, payload);
        checkEncodable(publish);
        onLoop(() -> sendToRankZero(publish));
    }

    @Override
    public void onPublish(BiConsumer<String, byte[]> listener) {
        onLoop(() -> events.onPublish(listener));
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
        return conclusion;
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
    public void forget(Consumer<RobberException> listener) {
        onLoop(() -> failure.forget(listener));
    }

    @Override
    public void fail(RobberException cause) {
        onLoop(() -> failHere(cause));
    }

    @Override
    public void giveUp(RobberException cause) {
        onLoop(() -> failHere(cause, ControlFailures.toLost(rank, cause)));
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

    /** Refuses on the caller's thread a message that could not be sent. */
    private static void checkEncodable(ControlMessage message) {
        ControlCodec.encode(message);
    }

    /** Whether there still is a loop to do it. */
    boolean onLoop(Runnable work) {
        return Sockets.runOn(loop, work);
    }

    /** To rank 0, as long as anything can be said; on the loop. */
    void sendToRankZero(ControlMessage message) {
        if (end() == null) {
            rankZero.send(message);
        }
    }

    /** Why nothing more can be said, or null if it can; on the loop. */
    @Nullable
    RobberException end() {
        RobberException failed = failure.get();
        return failed != null || !leaving ? failed : leftInCall(phase);
    }

    RobberException leftInCall(String call) {
        return new RobberException(Reason.USAGE, List.of(rank), call, "rank " + rank + " has left the job itself");
    }

    private void failHere(RobberException cause) {
        failHere(cause, ControlFailures.toMessage(cause, roster.members().size()));
    }

    private void failHere(RobberException cause, ControlMessage message) {
        if (end() != null || ownFailure != null) {
            return;
        }
        ownFailure = cause;
        // Rank 0 decides whether it was the first, so that the job fails in the same way everywhere.
        rankZero.send(message);
        var unused = loop.schedule(() -> failure.set(cause), CONFIRM_LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void received(ControlLink link, ControlMessage message) {
        received(message);
    }

    /** Rank 0 says this. */
    public void received(ControlMessage message) {
        if (message instanceof Release release) {
            pendingCalls.release(release, events.lostRanks());
        } else if (message instanceof Publish publish && publish.topic().equals(CONCLUSION)) {
            conclusion.complete((int) publish.payload()[0]);
        } else if (message instanceof Publish publish) {
            events.published(publish);
        } else if (message instanceof Lost lost && lost.rank() != rank) {
            events.lost(lost.rank(), ControlFailures.fromLost(lost));
        } else if (message instanceof Lost lost) {
            failure.set(original(ControlFailures.fromLost(lost)));
        } else if (message instanceof Joined joined) {
            events.joined(joined);
        } else if (message instanceof Fail fail) {
            RobberException failed = original(ControlFailures.fromMessage(fail));
            failure.set(failed);
            conclusion.complete(failed.reason().exitCode());
        } else if (message instanceof ControlMessage.Goodbye) {
            rankZeroLeft = true;
            if (pendingCalls.areWaiting()) {
                failure.set(withoutRankZero());
            }
        }
    }

    /** This node's own failure comes back without its cause: returns the one that has it. */
    private RobberException original(RobberException relayed) {
        RobberException own = ownFailure;
        return own != null
                        && own.reason() == relayed.reason()
                        && String.valueOf(own.getMessage()).equals(relayed.getMessage())
                ? own
                : relayed;
    }

    private RobberException withoutRankZero() {
        return new RobberException(
                Reason.USAGE, List.of(0, rank), phase, "rank 0 has left the job, but rank " + rank + " has not");
    }

    @Override
    public void ended(ControlLink link, String why) {
        conclusion.completeExceptionally(ControlFailures.lost(0, ControlFailures.who(0, roster), phase, why));
        if (!rankZeroLeft && !leaving) {
            failure.set(ControlFailures.lost(0, ControlFailures.who(0, roster), phase, why));
        }
    }

    /** This node makes this call next; on the loop. */
    void begins(String call) {
        phase = call;
        if (rankZeroLeft) {
            failure.set(withoutRankZero());
        }
    }

    private void leave() {
        if (leaving) {
            return;
        }
        leaving = true;
        events.end();
        failure.forgetListeners();
        pendingCalls.end(leftInCall(phase));
        if (ownFailure == null) {
            disconnect();
        } else {
            // The others must know it; rank 0's answer shows that they do.
            failure.listen(confirmed -> disconnect());
        }
    }

    private void disconnect() {
        var unused = rankZero.leave(failure.get() == null).thenRun(() -> left.complete(null));
    }
}
