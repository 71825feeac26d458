package org.robber.transport.rendezvous;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.core.wire.WireLimits;
import org.robber.transport.control.ControlCodec;
import org.robber.transport.control.ControlFailures;
import org.robber.transport.control.ControlMessage;
import org.robber.transport.control.ControlMessage.Release;
import org.robber.transport.control.FirstFailure;
import org.robber.transport.join.JoinableMulticast;

/** The collective calls of one node, numbered as they begin. Belongs to the event loop, but for methods that say otherwise. */
final class PendingCalls {
    private final ControlClient controlPlane;
    private final RankZeroConnection rankZero;
    private final Map<Long, PendingCall> waiting = new HashMap<>();
    private final FirstFailure failure;
    /** The texts of calls that have begun and not ended, by number. */
    private final NavigableMap<Long, String> open = new ConcurrentSkipListMap<>();

    /** Written on the event loop only. */
    private volatile long calls;

    private boolean rankZeroLeft;

    PendingCalls(ControlClient controlPlane, RankZeroConnection rankZero, FirstFailure failure) {
        this.controlPlane = controlPlane;
        this.rankZero = rankZero;
        this.failure = failure;
    }

    /** Begins the next call. Thread-safe. */
    ControlPlane.CollectiveCall begin(String call) {
        // Refuses on the caller's thread a call that could not be sent.
        ControlCodec.encode(new ControlMessage.Call(0, call));
        PendingCall collectiveCall = new PendingCall(call);
        controlPlane.onLoop(collectiveCall::begin);
        return collectiveCall;
    }

    /** As {@link ControlPlane#openCall}. Thread-safe. */
    Optional<ControlPlane.OpenCall> oldestOpen() {
        Map.Entry<Long, String> oldest = open.firstEntry();
        return oldest == null
                ? Optional.empty()
                : Optional.of(new ControlPlane.OpenCall(oldest.getKey(), oldest.getValue()));
    }

    /** As {@link ControlPlane#callsBegun}. Thread-safe. */
    long begun() {
        return calls;
    }

    /** Rank 0 has left in peace during this phase: no call ends any more. */
    void rankZeroLeft(String phase) {
        rankZeroLeft = true;
        if (!waiting.isEmpty()) {
            failWithoutRankZero(phase);
        }
    }

    boolean hasRankZeroLeft() {
        return rankZeroLeft;
    }

    private void failWithoutRankZero(String phase) {
        int rank = controlPlane.rank();
        failure.set(new RobberException(
                Reason.USAGE,
                List.of(0, rank),
                phase,
                ControlFailures.who(0, controlPlane.roster()) + " has left the job, but "
                        + ControlFailures.who(rank, controlPlane.roster()) + " has not"));
    }

    /** Everyone has arrived but for the lost. */
    void release(Release release, SortedSet<Integer> lost) {
        open.remove(release.number());
        PendingCall collectiveCall = waiting.remove(release.number());
        if (collectiveCall != null) {
            collectiveCall.lost = lost;
            collectiveCall.released.complete(release.payload());
        }
    }

    /** Ends all waits with this failure. */
    void end(RobberException why) {
        List<PendingCall> ended = List.copyOf(waiting.values());
        waiting.clear();
        ended.forEach(collectiveCall -> collectiveCall.released.completeExceptionally(why));
    }

    /** One call. */
    private final class PendingCall implements ControlPlane.CollectiveCall {
        private final String call;
        private final CompletableFuture<byte[]> released = new CompletableFuture<>();
        private volatile SortedSet<Integer> lost = Collections.emptySortedSet();
        private long number;
        private boolean arrived;

        PendingCall(String call) {
            this.call = call;
        }

        private void begin() {
            number = calls;
            calls = number + 1;
            open.put(number, call);
            controlPlane.begins(call);
            if (rankZeroLeft) {
                failWithoutRankZero(call);
            }
            controlPlane.sendToRankZero(new ControlMessage.Call(number, call));
        }

        @Override
        public CompletableFuture<byte[]> arrive(byte[] payload, Function<List<byte[]>, byte[]> reply) {
            checkArgument(payload.length <= WireLimits.MAX_PAYLOAD_BYTES, "payload of %s bytes", payload.length);
            checkState(!arrived, "arrived twice at '%s'", call);
            arrived = true;
            if (!controlPlane.onLoop(() -> arriveHere(payload, reply))) {
                released.completeExceptionally(controlPlane.leftInCall(call));
            }
            return released;
        }

        @Override
        public void letJoin(JoinableMulticast offer) {
            controlPlane.onLoop(() -> controlPlane
                    .rankZero()
                    .ifPresent(control -> control.joiners().letJoin(number, offer)));
        }

        @Override
        public SortedSet<Integer> lost() {
            return lost;
        }

        private void arriveHere(byte[] payload, Function<List<byte[]>, byte[]> reply) {
            RobberException end = controlPlane.end();
            if (end != null) {
                released.completeExceptionally(end);
                return;
            }
            waiting.put(number, this);
            rankZero.arrive(new ControlMessage.Arrive(number, payload), reply);
        }
    }
}
