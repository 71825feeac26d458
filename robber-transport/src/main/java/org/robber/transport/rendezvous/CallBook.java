package org.robber.transport.rendezvous;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;

/**
 * Rank 0's book of collective calls: compares what the nodes call and collects what they bring. All methods throw the
 * {@link RobberException} that the job has to fail with. Not thread-safe.
 */
final class CallBook {
    private static final byte[] NOTHING = {};

    private final long[] callsOfRank;
    private final BitSet lost = new BitSet();
    private final TreeMap<Long, Page> open = new TreeMap<>();
    private int leaver = -1;

    /** One call until everyone has come to its end. */
    private static final class Page {
        final String call;
        final int firstRank;
        final byte[] @Nullable [] payloads;
        /** Those that have arrived, and the lost that have not. */
        int accountedFor;

        Page(String call, int firstRank, int size) {
            this.call = call;
            this.firstRank = firstRank;
            this.payloads = new byte[size][];
        }

        boolean isComplete() {
            return accountedFor == payloads.length;
        }
    }

    CallBook(int size) {
        this.callsOfRank = new long[size];
    }

    /** This node has begun a call. */
    void call(int rank, long number, String call) {
        if (number != callsOfRank[rank]) {
            throw breach(rank, "call " + number + " where call " + callsOfRank[rank] + " was due");
        }
        callsOfRank[rank]++;
        Page page = open.computeIfAbsent(number, unused -> newPage(call, rank));
        if (!page.call.equals(call)) {
            throw new RobberException(
                    Reason.USAGE,
                    List.of(rank, page.firstRank),
                    call,
                    "the nodes do not make the same calls: rank " + rank + " calls '" + call + "' where rank "
                            + page.firstRank + " calls '" + page.call + "'");
        }
        if (leaver >= 0 && number >= callsOfRank[leaver]) {
            throw left(leaver, rank, call);
        }
    }

    private Page newPage(String call, int firstRank) {
        Page page = new Page(call, firstRank, callsOfRank.length);
        page.accountedFor = lost.cardinality();
        return page;
    }

    /** This node has come to the end of a call; whether it is the last one that was waited for. */
    boolean arrive(int rank, long number, byte[] payload) {
        Page page = open.get(number);
        if (page == null || number >= callsOfRank[rank] || page.payloads[rank] != null) {
            throw breach(rank, "the end of call " + number + ", which it isn't in");
        }
        page.payloads[rank] = payload;
        page.accountedFor++;
        return page.isComplete();
    }

    /** This node will not come any more, and is waited for no longer; returns the calls that only it was missing in. */
    List<Long> lose(int rank) {
        List<Long> complete = new ArrayList<>();
        if (lost.get(rank)) {
            return complete;
        }
        lost.set(rank);
        open.forEach((number, page) -> {
            if (page.payloads[rank] == null) {
                page.accountedFor++;
                if (page.isComplete()) {
                    complete.add(number);
                }
            }
        });
        return complete;
    }

    /** Closes the page of a complete call; returns the payloads of all, by rank, empty for the lost that did not come. */
    List<byte[]> close(long number) {
        Page page = open.remove(number);
        if (page == null || !page.isComplete()) {
            throw new IllegalStateException("call " + number + " is not complete");
        }
        List<byte[]> all = new ArrayList<>();
        for (byte[] payload : page.payloads) {
            all.add(payload == null ? NOTHING : payload);
        }
        return all;
    }

    /** Who has not come to the end of the oldest call that is open, by rank; nobody if none is, or no node waits there. */
    List<Integer> absent() {
        Page page = open.isEmpty() ? null : open.firstEntry().getValue();
        if (page == null || Arrays.stream(page.payloads).allMatch(Objects::isNull)) {
            return List.of();
        }
        return IntStream.range(0, page.payloads.length)
                .filter(rank -> page.payloads[rank] == null && !lost.get(rank))
                .boxed()
                .toList();
    }

    /** The text of a call, for people. */
    String text(long number) {
        Page page = open.get(number);
        return page == null ? "call " + number : page.call;
    }

    /** This node makes no more calls. */
    void leave(int rank) {
        if (leaver < 0 || callsOfRank[rank] < callsOfRank[leaver]) {
            leaver = rank;
        }
        for (Page page : open.values()) {
            if (page.payloads[rank] == null) {
                throw left(rank, page.firstRank, page.call);
            }
        }
    }

    private static RobberException left(int leaver, int caller, String call) {
        return new RobberException(
                Reason.USAGE,
                List.of(leaver, caller),
                call,
                "rank " + leaver + " has left the job, but rank " + caller + " calls '" + call + "'");
    }

    private static RobberException breach(int rank, String what) {
        return new RobberException(
                Reason.INTERNAL, List.of(rank), "call", "rank " + rank + " broke the protocol: " + what);
    }
}
