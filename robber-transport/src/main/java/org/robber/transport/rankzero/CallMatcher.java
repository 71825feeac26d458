package org.robber.transport.rankzero;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.core.wire.WireLimits;
import org.robber.transport.control.ControlFailures;
import org.robber.transport.control.ControlMessage.Roster;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The collective calls under way, at rank 0: compares the calls of all nodes, collects their payloads and makes the replies. All methods throw the
 * {@link RobberException} that the job has to fail with. Not thread-safe.
 */
final class CallMatcher {
    private static final Logger LOG = LoggerFactory.getLogger(CallMatcher.class);
    private static final byte[] NOTHING = {};

    private final Roster roster;
    private final long[] callsOfRank;
    private final BitSet lost = new BitSet();
    private final TreeMap<Long, OpenCall> open = new TreeMap<>();
    private final Map<Long, Function<List<byte[]>, byte[]>> replies = new HashMap<>();
    private int leaver = -1;

    /** A call that not all nodes have ended. */
    private static final class OpenCall {
        final String call;
        final int firstRank;
        final byte[] @Nullable [] payloads;
        /** The number of nodes that have arrived, and of lost nodes that have not. */
        int accountedFor;

        OpenCall(String call, int firstRank, int size) {
            this.call = call;
            this.firstRank = firstRank;
            this.payloads = new byte[size][];
        }

        boolean isComplete() {
            return accountedFor == payloads.length;
        }
    }

    CallMatcher(Roster roster) {
        this.roster = roster;
        this.callsOfRank = new long[roster.members().size()];
    }

    /** This node has begun a call. */
    void call(int rank, long number, String call) {
        if (number != callsOfRank[rank]) {
            throw breach(rank, "call " + number + " where call " + callsOfRank[rank] + " was due");
        }
        callsOfRank[rank]++;
        OpenCall openCall = open.computeIfAbsent(number, unused -> newCall(call, rank));
        if (!openCall.call.equals(call)) {
            throw ControlFailures.differentCalls(call, rank, call, openCall.firstRank, openCall.call, roster);
        }
        if (leaver >= 0 && number >= callsOfRank[leaver]) {
            throw ControlFailures.callAfterLeave(leaver, rank, call, roster);
        }
    }

    private OpenCall newCall(String call, int firstRank) {
        OpenCall openCall = new OpenCall(call, firstRank, callsOfRank.length);
        openCall.accountedFor = lost.cardinality();
        return openCall;
    }

    /** Whether this node has begun a call. */
    boolean hasBegun(int rank) {
        return callsOfRank[rank] > 0;
    }

    /** This node has come to the end of a call. Returns whether it was the last one. */
    boolean arrive(int rank, long number, byte[] payload) {
        OpenCall openCall = open.get(number);
        if (openCall == null || number >= callsOfRank[rank] || openCall.payloads[rank] != null) {
            throw breach(rank, "the end of call " + number + ", which it isn't in");
        }
        openCall.payloads[rank] = payload;
        openCall.accountedFor++;
        return openCall.isComplete();
    }

    /** This node is lost. Returns the calls that waited for this node only. */
    List<Long> lose(int rank) {
        List<Long> complete = new ArrayList<>();
        if (lost.get(rank)) {
            return complete;
        }
        lost.set(rank);
        open.forEach((number, openCall) -> {
            if (openCall.payloads[rank] == null) {
                openCall.accountedFor++;
                if (openCall.isComplete()) {
                    complete.add(number);
                }
            }
        });
        return complete;
    }

    /** Sets the reply of rank 0 to the call of this number, before rank 0 arrives. */
    void reply(long number, Function<List<byte[]>, byte[]> reply) {
        replies.put(number, reply);
    }

    /** Ends a complete call; returns rank 0's reply to it. */
    byte[] answer(long number) {
        OpenCall ended = open.remove(number);
        Function<List<byte[]>, byte[]> reply = replies.remove(number);
        if (ended == null || !ended.isComplete() || reply == null) {
            throw new IllegalStateException("call " + number + " is not complete, or rank 0 has no reply to it");
        }
        String call = ended.call;
        // Empty for the lost that did not come.
        List<byte[]> payloads = Arrays.stream(ended.payloads)
                .map(payload -> payload == null ? NOTHING : payload)
                .toList();
        byte[] answer;
        try {
            answer = Objects.requireNonNull(reply.apply(payloads), "the reply");
        } catch (RobberException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            LOG.error("no reply to '{}'", call, e);
            throw new RobberException(
                    Reason.INTERNAL, List.of(0), call, "rank 0 could not reply to '" + call + "': " + e, e);
        }
        if (answer.length > WireLimits.MAX_PAYLOAD_BYTES) {
            throw new RobberException(
                    Reason.USAGE,
                    List.of(0),
                    call,
                    "the reply to '" + call + "' has " + answer.length + " bytes, of at most "
                            + WireLimits.MAX_PAYLOAD_BYTES);
        }
        return answer;
    }

    /** The nodes that have not come to the end of the oldest open call, by rank; none if no node waits in it. */
    List<Integer> absent() {
        OpenCall openCall = open.isEmpty() ? null : open.firstEntry().getValue();
        if (openCall == null || Arrays.stream(openCall.payloads).allMatch(Objects::isNull)) {
            return List.of();
        }
        return IntStream.range(0, openCall.payloads.length)
                .filter(rank -> openCall.payloads[rank] == null && !lost.get(rank))
                .boxed()
                .toList();
    }

    /** This node makes no more calls. */
    void leave(int rank) {
        if (leaver < 0 || callsOfRank[rank] < callsOfRank[leaver]) {
            leaver = rank;
        }
        for (OpenCall openCall : open.values()) {
            if (openCall.payloads[rank] == null) {
                throw ControlFailures.callAfterLeave(rank, openCall.firstRank, openCall.call, roster);
            }
        }
    }

    private RobberException breach(int rank, String what) {
        return new RobberException(
                Reason.INTERNAL,
                List.of(rank),
                "call",
                ControlFailures.who(rank, roster) + " broke the protocol: " + what);
    }
}
