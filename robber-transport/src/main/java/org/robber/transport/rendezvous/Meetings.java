package org.robber.transport.rendezvous;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.robber.RobberException;
import org.robber.core.protocol.ControlMessage;
import org.robber.core.protocol.ControlMessage.Release;
import org.robber.core.wire.WireLimits;

/** The collective calls of one node, numbered as they begin. What isn't said to be thread-safe belongs to the loop. */
final class Meetings {
    private final StarAssembly assembly;
    private final Uplink uplink;
    private final Map<Long, StarMeeting> waiting = new HashMap<>();
    private long calls;

    Meetings(StarAssembly assembly, Uplink uplink) {
        this.assembly = assembly;
        this.uplink = uplink;
    }

    /** Begins the next call. Thread-safe. */
    Assembly.Meeting begin(String call) {
        StarMeeting meeting = new StarMeeting(call);
        assembly.onLoop(meeting::begin);
        return meeting;
    }

    /** Whether this node waits for others. */
    boolean areOpen() {
        return !waiting.isEmpty();
    }

    /** Everyone has arrived but for the lost. */
    void release(Release release, SortedSet<Integer> lost) {
        StarMeeting meeting = waiting.remove(release.number());
        if (meeting != null) {
            meeting.lost = lost;
            meeting.released.complete(release.payload());
        }
    }

    /** Nobody waits any longer. */
    void end(RobberException why) {
        List<StarMeeting> ended = List.copyOf(waiting.values());
        waiting.clear();
        ended.forEach(meeting -> meeting.released.completeExceptionally(why));
    }

    /** One call. */
    private final class StarMeeting implements Assembly.Meeting {
        private final String call;
        private final CompletableFuture<byte[]> released = new CompletableFuture<>();
        private volatile SortedSet<Integer> lost = Collections.emptySortedSet();
        private long number;
        private boolean arrived;

        StarMeeting(String call) {
            this.call = call;
        }

        private void begin() {
            number = calls++;
            assembly.begins(call);
            assembly.say(new ControlMessage.Call(number, call));
        }

        @Override
        public CompletableFuture<byte[]> arrive(byte[] payload, Function<List<byte[]>, byte[]> reply) {
            checkArgument(payload.length <= WireLimits.MAX_PAYLOAD_BYTES, "payload of %s bytes", payload.length);
            checkState(!arrived, "arrived twice at '%s'", call);
            arrived = true;
            if (!assembly.onLoop(() -> arriveHere(payload, reply))) {
                released.completeExceptionally(assembly.leftInCall(call));
            }
            return released;
        }

        @Override
        public void letJoin(Offer offer) {
            assembly.onLoop(() -> uplink.letJoin(number, offer));
        }

        @Override
        public SortedSet<Integer> lost() {
            return lost;
        }

        private void arriveHere(byte[] payload, Function<List<byte[]>, byte[]> reply) {
            RobberException end = assembly.end();
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
