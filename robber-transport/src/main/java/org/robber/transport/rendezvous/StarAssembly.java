package org.robber.transport.rendezvous;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import io.netty.channel.EventLoop;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.core.protocol.ControlMessage;
import org.robber.core.protocol.ControlMessage.Fail;
import org.robber.core.protocol.ControlMessage.Progress;
import org.robber.core.protocol.ControlMessage.Publish;
import org.robber.core.protocol.ControlMessage.Release;
import org.robber.core.protocol.ControlMessage.Roster;
import org.robber.core.wire.ControlCodec;
import org.robber.core.wire.WireLimits;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The assembly as one node sees it, rank 0 like all others: what it says goes up to rank 0, what counts comes from there.
 * All state belongs to one event loop; the methods of {@link Assembly} bring their work there.
 *
 * <p>There is one listener for publications and one for progress: the last that was set.
 */
final class StarAssembly implements Assembly, LinkListener {
    private static final Logger LOG = LoggerFactory.getLogger(StarAssembly.class);
    /** How long rank 0 may take to say which failure was the first, before this node believes in its own. */
    private static final long CONFIRM_LIMIT_SECONDS = 2;
    /** More than all that leaving waits for, in turn. */
    private static final long LEAVE_LIMIT_SECONDS = 10;

    private final int rank;
    private final Roster roster;
    private final Uplink uplink;
    private final EventLoop loop;

    private final FirstFailure failure = new FirstFailure();
    private final CompletableFuture<Void> left = new CompletableFuture<>();
    private final Map<Long, StarMeeting> waiting = new HashMap<>();
    private final Publications publications = new Publications();
    private @Nullable BiConsumer<Integer, Progress> progressListener;
    private @Nullable RobberException ownFailure;
    private String phase = "the start";
    private long calls;
    private boolean leaving;
    private boolean alone;

    StarAssembly(int rank, Roster roster, Uplink uplink, EventLoop loop) {
        this.rank = rank;
        this.roster = roster;
        this.uplink = uplink;
        this.loop = loop;
        failure.listen(this::endWaiting);
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
    public Meeting begin(String call) {
        demandForm(new ControlMessage.Call(0, call));
        StarMeeting meeting = new StarMeeting(call);
        onLoop(meeting::begin);
        return meeting;
    }

    @Override
    public void publish(String topic, byte[] payload) {
        Publish publish = new Publish(topic, payload);
        demandForm(publish);
        onLoop(() -> say(publish));
    }

    @Override
    public void onPublish(BiConsumer<String, byte[]> listener) {
        onLoop(() -> guarded(() -> publications.listen(listener)));
    }

    @Override
    public void report(Progress progress) {
        demandForm(progress);
        onLoop(() -> {
            phase = progress.phase();
            say(progress);
        });
    }

    @Override
    public void onProgress(BiConsumer<Integer, Progress> listener) {
        onLoop(() -> progressListener = listener);
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
        onLoop(() -> failHere(cause));
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

    /** Refuses on the caller's thread what could not be sent. */
    private static void demandForm(ControlMessage message) {
        ControlCodec.encode(message);
    }

    /** Whether there still is a loop to do it. */
    private boolean onLoop(Runnable work) {
        try {
            loop.execute(work);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    private void say(ControlMessage message) {
        if (end() == null) {
            uplink.send(message);
        }
    }

    /** Why nothing more can be said, or null if it can. */
    private @Nullable RobberException end() {
        RobberException failed = failure.get();
        return failed != null || !leaving ? failed : leftInCall(phase);
    }

    private RobberException leftInCall(String call) {
        return new RobberException(Reason.USAGE, List.of(rank), call, "rank " + rank + " has left the job itself");
    }

    private void failHere(RobberException cause) {
        if (end() != null || ownFailure != null) {
            return;
        }
        ownFailure = cause;
        // Whether it was the first, rank 0 decides, so that the job fails in the same way everywhere.
        uplink.send(Failures.toMessage(cause, roster.members().size()));
        var unused = loop.schedule(() -> failure.set(cause), CONFIRM_LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void received(ControlLink link, ControlMessage message) {
        received(message);
    }

    /** Rank 0 says this. */
    void received(ControlMessage message) {
        if (message instanceof Release release) {
            StarMeeting meeting = waiting.remove(release.number());
            if (meeting != null) {
                meeting.released.complete(release.payload());
            }
        } else if (message instanceof Publish publish) {
            guarded(() -> publications.deliver(publish));
        } else if (message instanceof Fail fail) {
            failure.set(original(Failures.fromMessage(fail)));
        } else if (message instanceof ControlMessage.Goodbye) {
            alone = true;
            if (!waiting.isEmpty()) {
                failure.set(withoutRankZero());
            }
        }
    }

    /** This node's own failure comes back without its cause: better to show the one that has it. */
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
        if (!alone && !leaving) {
            failure.set(Failures.lost(0, Failures.who(0, roster), phase, why));
        }
    }

    /** A node says how far it is. */
    void progress(int ofRank, Progress progress) {
        BiConsumer<Integer, Progress> listener = progressListener;
        if (listener != null && !leaving) {
            try {
                listener.accept(ofRank, progress);
            } catch (RuntimeException e) {
                LOG.error("progress could not be shown", e);
            }
        }
    }

    /** What a listener can't handle, the job can't go on without. */
    private void guarded(Runnable delivery) {
        if (leaving) {
            return;
        }
        try {
            delivery.run();
        } catch (RuntimeException e) {
            LOG.error("a publication could not be handled", e);
            failHere(new RobberException(
                    Reason.INTERNAL, List.of(rank), phase, "a publication could not be handled: " + e, e));
        }
    }

    private void endWaiting(RobberException why) {
        List<StarMeeting> ended = List.copyOf(waiting.values());
        waiting.clear();
        ended.forEach(meeting -> meeting.released.completeExceptionally(why));
    }

    private void leave() {
        if (leaving) {
            return;
        }
        leaving = true;
        failure.forgetListeners();
        endWaiting(leftInCall(phase));
        if (ownFailure == null) {
            depart();
        } else {
            // The others must know it; rank 0's answer shows that they do.
            failure.listen(confirmed -> depart());
        }
    }

    private void depart() {
        var unused = uplink.leave(failure.get() == null).thenRun(() -> left.complete(null));
    }

    /** One collective call of this node. */
    private final class StarMeeting implements Meeting {
        private final String call;
        private final CompletableFuture<byte[]> released = new CompletableFuture<>();
        private long number;
        private boolean arrived;

        StarMeeting(String call) {
            this.call = call;
        }

        void begin() {
            number = calls++;
            phase = call;
            if (alone) {
                failure.set(withoutRankZero());
            }
            say(new ControlMessage.Call(number, call));
        }

        @Override
        public CompletableFuture<byte[]> arrive(byte[] payload, Function<List<byte[]>, byte[]> reply) {
            checkArgument(payload.length <= WireLimits.MAX_PAYLOAD_BYTES, "payload of %s bytes", payload.length);
            checkState(!arrived, "arrived twice at '%s'", call);
            arrived = true;
            if (!onLoop(() -> arriveHere(payload, reply))) {
                released.completeExceptionally(leftInCall(call));
            }
            return released;
        }

        private void arriveHere(byte[] payload, Function<List<byte[]>, byte[]> reply) {
            RobberException end = end();
            if (end != null) {
                released.completeExceptionally(end);
                return;
            }
            waiting.put(number, this);
            uplink.reply(number, reply);
            uplink.send(new ControlMessage.Arrive(number, payload));
        }
    }
}
