package org.robber.transport.job;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.robber.JoinedNode;
import org.robber.RobberException;
import org.robber.transport.control.ControlMessage.Member;
import org.robber.transport.control.ControlMessage.Progress;
import org.robber.transport.control.ControlMessage.Roster;
import org.robber.transport.join.JoinableMulticast;
import org.robber.transport.rendezvous.ControlPlane;
import org.robber.transport.rendezvous.ControlPlane.PublicationListener;
import org.robber.transport.rendezvous.RankZeroControl;

/** The control plane without sockets: all its nodes are in this process and share this object. */
public final class SharedControlPlane {
    private final Roster roster;
    private final Map<Long, List<byte[]>> payloads = new HashMap<>();
    private final Map<Long, CompletableFuture<byte[]>> releases = new HashMap<>();
    private final Map<Long, Function<List<byte[]>, byte[]>> replies = new HashMap<>();
    private final List<PublicationListener> publicationListeners = new ArrayList<>();
    private BiFunction<String, byte[], byte[]> alteration = (topic, payload) -> payload;
    private final List<Consumer<RobberException>> failureListeners = new ArrayList<>();
    private @Nullable RobberException failure;
    private @Nullable BiConsumer<Integer, Progress> progressListener;
    private volatile boolean joinersWaitedFor;

    SharedControlPlane(long seed, List<Member> members) {
        this.roster = new Roster(seed, ImmutableList.copyOf(members));
    }

    /** All members have come to the end, and joiners have not; or they have. */
    public void waitForJoiners(boolean waits) {
        joinersWaitedFor = waits;
    }

    public ControlPlane of(int rank) {
        return new View(rank);
    }

    private synchronized CompletableFuture<byte[]> arrive(
            int rank, long number, byte[] payload, Function<List<byte[]>, byte[]> reply) {
        int size = roster.members().size();
        List<byte[]> all =
                payloads.computeIfAbsent(number, n -> new ArrayList<>(java.util.Collections.nCopies(size, null)));
        CompletableFuture<byte[]> release = releases.computeIfAbsent(number, n -> new CompletableFuture<>());
        all.set(rank, payload);
        if (rank == 0) {
            replies.put(number, reply);
        }
        if (failure != null) {
            release.completeExceptionally(failure);
        } else if (!all.contains(null)) {
            release.completeAsync(() -> replies.get(number).apply(all));
        }
        return release;
    }

    private synchronized void publish(int from, String topic, byte[] payload) {
        byte[] altered = alteration.apply(topic, payload);
        publicationListeners.forEach(listener -> listener.published(from, topic, altered));
    }

    /** Alters the payload of each publication from now on, by its topic. */
    synchronized void alterPublications(BiFunction<String, byte[], byte[]> newAlteration) {
        alteration = newAlteration;
    }

    private void report(int rank, Progress progress) {
        BiConsumer<Integer, Progress> told;
        synchronized (this) {
            told = progressListener;
        }
        if (told != null) {
            told.accept(rank, progress);
        }
    }

    /** The failure of the job, if it failed. */
    public synchronized @Nullable RobberException failure() {
        return failure;
    }

    private void fail(RobberException first) {
        List<Consumer<RobberException>> told;
        synchronized (this) {
            if (failure != null) {
                return;
            }
            failure = first;
            told = new ArrayList<>(failureListeners);
            releases.values().forEach(release -> release.completeExceptionally(first));
        }
        told.forEach(listener -> listener.accept(first));
    }

    /** Those that would be told of a failure. */
    synchronized int failureListeners() {
        return failureListeners.size();
    }

    private final class AtRankZero implements RankZeroControl, RankZeroControl.Joiners {
        @Override
        public void onProgress(BiConsumer<Integer, Progress> listener) {
            synchronized (SharedControlPlane.this) {
                progressListener = listener;
            }
        }

        @Override
        public void goOnWithoutLost() {
            // Nobody gets lost here: who gives up ends the job.
        }

        @Override
        public void expel(int expelled, RobberException why) {
            SharedControlPlane.this.fail(why);
        }

        @Override
        public CompletableFuture<List<Integer>> absent() {
            throw new UnsupportedOperationException();
        }

        @Override
        public String clusterOrigin() {
            return "given";
        }

        @Override
        public Joiners joiners() {
            return this;
        }

        @Override
        public void letJoin(long call, JoinableMulticast offer) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void refuse(String why) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isWaiting() {
            return joinersWaitedFor;
        }

        @Override
        public void drop(RobberException why) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<List<JoinedNode>> release(byte[] digestOfAll) {
            return CompletableFuture.completedFuture(List.of());
        }

        @Override
        public void conclude(int exitCode) {
            throw new UnsupportedOperationException();
        }
    }

    private final class View implements ControlPlane {
        private final int rank;
        private long calls;

        View(int rank) {
            this.rank = rank;
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
            return rank == 0 ? Optional.of(new AtRankZero()) : Optional.empty();
        }

        @Override
        public CompletableFuture<Void> settled() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CollectiveCall begin(String call) {
            long number = calls++;
            return new CollectiveCall() {
                @Override
                public CompletableFuture<byte[]> arrive(byte[] payload, Function<List<byte[]>, byte[]> reply) {
                    return SharedControlPlane.this.arrive(rank, number, payload, reply);
                }

                @Override
                public void letJoin(JoinableMulticast offer) {
                    throw new UnsupportedOperationException();
                }

                @Override
                public SortedSet<Integer> lost() {
                    return Collections.emptySortedSet();
                }
            };
        }

        @Override
        public Optional<OpenCall> openCall() {
            return Optional.empty();
        }

        @Override
        public long callsBegun() {
            return calls;
        }

        @Override
        public void publish(String topic, byte[] payload) {
            SharedControlPlane.this.publish(rank, topic, payload);
        }

        @Override
        public void onPublish(PublicationListener listener) {
            synchronized (SharedControlPlane.this) {
                publicationListeners.add(listener);
            }
        }

        @Override
        public void callBack(int peer, long token) {
            // All nodes reach each other here.
        }

        @Override
        public void onCallBack(BiConsumer<Integer, Long> listener) {
            // Nobody asks.
        }

        @Override
        public void onLeft(IntConsumer listener) {
            // All nodes of a test can connect to each other.
        }

        @Override
        public void report(Progress progress) {
            SharedControlPlane.this.report(rank, progress);
        }

        @Override
        public void fail(RobberException first) {
            SharedControlPlane.this.fail(first);
        }

        @Override
        public void giveUp(RobberException why) {
            SharedControlPlane.this.fail(why);
        }

        @Override
        public void onLost(BiConsumer<Integer, RobberException> listener) {
            // Nobody gets lost here.
        }

        @Override
        public void onJoined(BiConsumer<Integer, Member> listener) {
            // Nobody joins here.
        }

        @Override
        public CompletableFuture<Integer> conclusion() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void onFailure(Consumer<RobberException> listener) {
            RobberException already;
            synchronized (SharedControlPlane.this) {
                already = failure;
                failureListeners.add(listener);
            }
            if (already != null) {
                listener.accept(already);
            }
        }

        @Override
        public void close() {
            // Nothing to leave.
        }
    }
}
