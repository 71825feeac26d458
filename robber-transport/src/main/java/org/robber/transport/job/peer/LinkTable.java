package org.robber.transport.job.peer;

import io.netty.channel.Channel;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.robber.transport.link.PeerLink;
import org.robber.transport.sockets.Sockets;

/**
 * The connections of one channel by rank, and the attempts to make some: at most one of each for a rank. Its user decides who connects to
 * whom and what follows from a loss: {@link PeerLinks} between members, {@link LinksOfJoiner} at a joiner, {@link LinksFromJoiners} at
 * the members that it connects to. Thread-safe; calls no other object while it holds its lock.
 */
public final class LinkTable {
    private final Limits limits;
    private final ReconnectBudget reconnects;
    private final Map<Integer, PeerLink> links = new TreeMap<>();
    private final Map<Integer, Attempt> attempts = new HashMap<>();
    private final Set<Integer> excluded = new HashSet<>();

    /** Nodes with which a connection failed, until the pause before the next attempt is over. */
    private final Set<Integer> pausing = new HashSet<>();

    private boolean closed;

    /** How long a peer may be silent, and how long one that owes pieces may send no piece. */
    public record Limits(Duration idle, Duration peerStall) {}

    /**
     * What {@link #exclude} has changed.
     *
     * @param isNew whether the node was not excluded before
     * @param wasConnected whether it had a connection, which ends now
     */
    record Exclusion(boolean isNew, boolean wasConnected) {}

    /** @param mostFailures after this many failures in a row, no new attempt is made */
    LinkTable(Limits limits, int mostFailures, LongSupplier nanoClock) {
        this.limits = limits;
        this.reconnects = new ReconnectBudget(mostFailures, limits.idle, nanoClock);
    }

    /** An attempt to connect to a node; until it has ended, there is no other. */
    final class Attempt {
        private final int rank;
        private final CompletableFuture<Void> cancelled = new CompletableFuture<>();

        private Attempt(int rank) {
            this.rank = rank;
        }

        int rank() {
            return rank;
        }

        /**
         * Makes the attempt.
         *
         * @param dial starts it
         * @param done told the connection, or why there is none
         */
        void run(Supplier<CompletableFuture<Channel>> dial, BiConsumer<@Nullable Channel, @Nullable Throwable> done) {
            CompletableFuture<Channel> call = dial.get();
            cancelled.thenRun(() -> call.cancel(false));
            call.whenComplete((channel, problem) -> {
                synchronized (LinkTable.this) {
                    attempts.remove(rank, this);
                }
                done.accept(channel, problem);
            });
        }
    }

    /** Reserves the place of a node for an attempt; null if it is taken, or the node excluded. */
    synchronized @Nullable Attempt reserve(int rank) {
        if (closed || excluded.contains(rank) || isBusy(rank)) {
            return null;
        }
        Attempt attempt = new Attempt(rank);
        attempts.put(rank, attempt);
        return attempt;
    }

    /** Whether the node has a connection, or an attempt to connect to it is under way. */
    synchronized boolean isBusy(int rank) {
        return links.containsKey(rank) || attempts.containsKey(rank);
    }

    /** The connection to the node; null if there is none. */
    synchronized @Nullable PeerLink get(int rank) {
        return links.get(rank);
    }

    /** The connections that there are, by rank. */
    synchronized List<PeerLink> all() {
        return List.copyOf(links.values());
    }

    synchronized boolean isEmpty() {
        return links.isEmpty();
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /** Whether the node is no peer any more. */
    synchronized boolean isExcluded(int rank) {
        return excluded.contains(rank);
    }

    /**
     * Takes a connection in, in place of an earlier one to the same node. A connection to an excluded node is closed.
     *
     * @param opened run on its event loop once it is open, unless a later one has taken its place by then
     */
    void add(PeerLink link, Runnable opened) {
        PeerLink earlier;
        synchronized (this) {
            if (closed || excluded.contains(link.rank())) {
                link.channel().close();
                return;
            }
            earlier = links.put(link.rank(), link);
            reconnects.opened(link.rank());
        }
        link.takeOver(earlier, () -> open(link, opened));
    }

    private void open(PeerLink link, Runnable opened) {
        link.open(limits.idle, limits.peerStall);
        if (isCurrent(link)) {
            opened.run();
        } else {
            link.close();
        }
    }

    @SuppressWarnings("ReferenceEquality") // a later connection to the same node has taken its place
    private synchronized boolean isCurrent(PeerLink link) {
        return !closed && links.get(link.rank()) == link;
    }

    /** The connection has ended; returns whether its node is still a peer. */
    synchronized boolean ended(PeerLink link) {
        if (links.remove(link.rank(), link)) {
            reconnects.ended(link.rank());
        }
        return !closed && !excluded.contains(link.rank());
    }

    /**
     * Counts a failure to connect to the node, or the end of its connection.
     *
     * @param again called after a pause; makes the next attempt
     * @return false if there is no next attempt: the node failed too often in a row, or is excluded, or the table is closed
     */
    boolean retry(int rank, Sockets timer, Runnable again) {
        OptionalLong pauseMillis;
        synchronized (this) {
            if (closed || excluded.contains(rank)) {
                return false;
            }
            pauseMillis = reconnects.pauseMillisAfterFailure(rank);
            if (pauseMillis.isEmpty()) {
                return false;
            }
            pausing.add(rank);
        }
        timer.later(() -> pauseOver(rank, again), pauseMillis.getAsLong());
        return true;
    }

    private void pauseOver(int rank, Runnable again) {
        synchronized (this) {
            pausing.remove(rank);
        }
        again.run();
    }

    /** Whether the next attempt to connect to the node waits for the end of a pause. */
    synchronized boolean isPausing(int rank) {
        return pausing.contains(rank);
    }

    /** The node is no peer any more: its connection and attempts end. */
    Exclusion exclude(int rank) {
        boolean isNew;
        PeerLink link;
        Attempt attempt;
        synchronized (this) {
            isNew = excluded.add(rank);
            link = links.remove(rank);
            attempt = attempts.get(rank);
        }
        if (attempt != null) {
            attempt.cancelled.complete(null);
        }
        if (link != null) {
            link.replace(() -> {});
        }
        return new Exclusion(isNew, link != null);
    }

    /** Forgets all connections, and returns them. */
    synchronized List<PeerLink> takeAll() {
        List<PeerLink> all = all();
        links.clear();
        return all;
    }

    /** Takes no more connections, ends all attempts, and returns the connections that there were. */
    List<PeerLink> close() {
        List<Attempt> underWay;
        List<PeerLink> open;
        synchronized (this) {
            closed = true;
            underWay = List.copyOf(attempts.values());
            open = takeAll();
        }
        underWay.forEach(attempt -> attempt.cancelled.complete(null));
        return open;
    }
}
