package org.robber.transport.job;

import io.netty.channel.Channel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.core.driver.SurvivorOverlay;
import org.robber.core.protocol.Message.Begin;
import org.robber.core.topology.Overlay;
import org.robber.transport.link.PeerLink;
import org.robber.transport.link.Transfer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of one channel: one to every peer of the overlay, made by the higher rank to the lower, and made again
 * if they break while the peer takes part in the job. Thread-safe.
 */
final class PeerLinks implements PeerLink.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(PeerLinks.class);

    /** After this many failures in a row the two nodes do without a connection. */
    private static final int MOST_FAILURES = 10;

    /** How long a peer that cannot be reached may be a dead one of which rank 0 has not told yet. */
    private static final long TOLD_LATE_MILLIS = 2000;

    private final JobContext context;
    private final int channelNumber;
    private final Map<Integer, PeerLink> links = new TreeMap<>();
    private final Map<Integer, CompletableFuture<Channel>> calls = new HashMap<>();
    /** Peers that this node is about to call. */
    private final Set<Integer> dialing = new HashSet<>();

    private final ReconnectBudget reconnects;
    /** Peers that will not come any more, or are not welcome. */
    private final Set<Integer> gone = new HashSet<>();

    /** Nodes that were lost to the job. */
    private final Set<Integer> lostNodes = new TreeSet<>();

    private final FirstConnections first;
    private @Nullable Current current;
    private boolean closed;

    /** The multicast that goes on. */
    private record Current(
            Begin begin, Transfer transfer, MulticastGroup group, Set<Integer> peers, SurvivorOverlay survivors) {}

    PeerLinks(JobContext context, int channelNumber) {
        this(context, channelNumber, System::nanoTime);
    }

    PeerLinks(JobContext context, int channelNumber, LongSupplier nanoClock) {
        this.context = context;
        this.channelNumber = channelNumber;
        this.reconnects = new ReconnectBudget(MOST_FAILURES, nanoClock);
        this.first = new FirstConnections(context);
    }

    /**
     * Makes the first connections; completes once there is one to each peer that is not lost meanwhile, or fails naming
     * those that could not be had in time.
     *
     * @param joiners where connections from nodes go that are no members of the job
     */
    CompletableFuture<Void> open(MulticastGroup group, Overlay overlay, LinksFromJoiners joiners) {
        Set<Integer> peers = peers(group, overlay);
        first.expect(peers);
        context.listener().expect(channelNumber, (rank, channel) -> {
            if (context.isJoiner(rank)) {
                joiners.connected(rank, channel);
            } else {
                connected(rank, channel);
            }
        });
        peers.forEach(this::call);
        return first.await();
    }

    private Set<Integer> peers(MulticastGroup group, Overlay overlay) {
        Set<Integer> peers = new TreeSet<>();
        for (int number : overlay.peers(group.number(context.rank()))) {
            peers.add(group.rank(number));
        }
        return peers;
    }

    /** Connects to the peer, if that is up to this node and not under way. */
    private void call(int peer) {
        synchronized (this) {
            if (!SurvivorOverlay.dials(context.rank(), peer)
                    || closed
                    || gone.contains(peer)
                    || links.containsKey(peer)) {
                return;
            }
            if (calls.containsKey(peer) || !dialing.add(peer)) {
                return;
            }
        }
        CompletableFuture<Channel> call =
                context.dialer().dial(channelNumber, peer, context.member(peer), context.connectTimeout());
        boolean unwanted;
        synchronized (this) {
            dialing.remove(peer);
            calls.put(peer, call);
            unwanted = closed || gone.contains(peer);
        }
        if (unwanted) {
            call.cancel(false);
        }
        call.whenComplete((channel, problem) -> {
            synchronized (this) {
                calls.remove(peer, call);
            }
            if (channel != null) {
                connected(peer, channel);
            } else {
                unreachable(peer, problem);
            }
        });
    }

    private void unreachable(int peer, Throwable problem) {
        if (!first.areOver()) {
            RobberException failure =
                    context.failure(Reason.NETWORK, peer, "connect", "it cannot be reached: " + problem.getMessage());
            later(() -> failUnlessGone(peer, failure), TOLD_LATE_MILLIS);
        } else {
            LOG.debug("no connection to rank {}: {}", peer, problem.getMessage());
            callLater(peer);
        }
    }

    /** Tries again after a pause, unless that was done too often. */
    private void callLater(int peer) {
        OptionalLong pauseMillis;
        synchronized (this) {
            if (closed || gone.contains(peer)) {
                return;
            }
            pauseMillis = reconnects.pauseMillisAfterFailure(peer);
        }
        pauseMillis.ifPresent(millis -> later(() -> call(peer), millis));
    }

    private void failUnlessGone(int peer, RobberException failure) {
        if (!isGone(peer)) {
            first.fail(failure);
        }
    }

    private void later(Runnable work, long millis) {
        try {
            context.sockets().group().schedule(work, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("closing", e);
        }
    }

    private void connected(int peer, Channel channel) {
        PeerLink link = new PeerLink(
                peer, channel, context.nearness().distance(context.rank(), peer), context.sendRate(peer), this);
        PeerLink earlier;
        synchronized (this) {
            if (closed || gone.contains(peer)) {
                channel.close();
                return;
            }
            earlier = links.put(peer, link);
            reconnects.opened(peer);
        }
        link.takeOver(earlier, () -> open(link));
    }

    @SuppressWarnings("ReferenceEquality") // a later connection to the same peer has taken its place
    private void open(PeerLink link) {
        link.open(context.idleTimeout(), context.peerStallTimeout());
        Current now;
        synchronized (this) {
            if (closed || links.get(link.rank()) != link) {
                link.close();
                return;
            }
            now = current;
        }
        if (now != null && now.peers.contains(link.rank())) {
            link.begin(now.begin, now.transfer, now.group.number(link.rank()));
        }
        first.settle(link.rank());
    }

    /**
     * Begins a multicast with all peers of the overlay. Those to which there is no connection yet are connected to; who has not
     * come by the time that connections may take is lost to the transfer.
     */
    void begin(Begin begin, Transfer transfer, MulticastGroup group, Overlay overlay) {
        Set<Integer> peers = peers(group, overlay);
        Current now = new Current(begin, transfer, group, peers, new SurvivorOverlay(group.topology(), overlay));
        List<PeerLink> there = new ArrayList<>();
        List<Integer> absent = new ArrayList<>();
        synchronized (this) {
            current = now;
            for (int peer : peers) {
                PeerLink link = links.get(peer);
                if (link != null) {
                    there.add(link);
                } else {
                    absent.add(peer);
                }
            }
        }
        there.forEach(link ->
                link.channel().eventLoop().execute(() -> link.begin(begin, transfer, group.number(link.rank()))));
        for (int peer : absent) {
            if (isGone(peer)) {
                transfer.peerLost(group.number(peer));
            } else {
                call(peer);
                context.sockets()
                        .group()
                        .schedule(
                                () -> loseIfAbsent(peer, now),
                                context.connectTimeout().toMillis(),
                                TimeUnit.MILLISECONDS);
            }
        }
        List<Integer> before;
        synchronized (this) {
            before = List.copyOf(lostNodes);
        }
        before.forEach(this::repair);
    }

    /** The node was lost to the job: whoever is cut off by that gets other peers. */
    private void repair(int rank) {
        Set<Integer> more = new TreeSet<>();
        Current now;
        synchronized (this) {
            now = current;
            if (now == null || now.group.number(rank) < 0 || !now.survivors.lose(now.group.number(rank))) {
                return;
            }
            for (int number : now.survivors.current().peers(now.group.number(context.rank()))) {
                if (now.peers.add(now.group.rank(number))) {
                    more.add(now.group.rank(number));
                }
            }
        }
        now.transfer.nodeLost(now.group.number(rank));
        for (int peer : more) {
            PeerLink link;
            synchronized (this) {
                link = links.get(peer);
            }
            if (link == null) {
                call(peer);
            } else {
                link.channel().eventLoop().execute(() -> link.begin(now.begin, now.transfer, now.group.number(peer)));
            }
        }
    }

    private synchronized boolean isGone(int peer) {
        return gone.contains(peer);
    }

    @SuppressWarnings("ReferenceEquality") // this very multicast
    private void loseIfAbsent(int peer, Current since) {
        synchronized (this) {
            if (current != since || links.containsKey(peer)) {
                return;
            }
        }
        since.transfer.peerLost(since.group.number(peer));
    }

    /** The multicast is over. */
    synchronized void end() {
        current = null;
    }

    /** The node was lost to the job. */
    void nodeLost(int rank) {
        lose(rank);
        synchronized (this) {
            lostNodes.add(rank);
        }
        repair(rank);
    }

    /** The node is no peer any more: lost, or not worth being listened to. */
    void lose(int rank) {
        PeerLink link;
        Current now;
        CompletableFuture<Channel> call;
        synchronized (this) {
            if (!gone.add(rank)) {
                return;
            }
            link = links.remove(rank);
            call = calls.get(rank);
            now = current;
        }
        if (call != null) {
            call.cancel(false);
        }
        if (link != null) {
            link.replace(() -> {});
        } else if (now != null && now.peers.contains(rank)) {
            now.transfer.peerLost(now.group.number(rank));
        }
        first.settle(rank);
    }

    @Override
    public void mismatch(PeerLink link, Begin ours, Begin theirs) {
        context.controlPlane()
                .fail(new RobberException(
                        Reason.USAGE,
                        List.of(context.rank(), link.rank()),
                        "multicast",
                        context.describe(context.rank()) + " began " + ours + ", but " + context.describe(link.rank())
                                + " began " + theirs + ": every node must make the same calls"));
    }

    @Override
    public void lost(PeerLink link, String why, boolean mayReturn) {
        int peer = link.rank();
        synchronized (this) {
            if (links.remove(peer, link)) {
                reconnects.ended(peer);
            }
            if (closed || gone.contains(peer)) {
                return;
            }
            if (!mayReturn) {
                gone.add(peer);
            }
        }
        if (mayReturn) {
            LOG.debug("the connection to rank {} is lost: {}", peer, why);
            callLater(peer);
        } else {
            LOG.info("goes on without {}: {}", context.describe(peer), why);
        }
    }

    @Override
    public void abandoned(PeerLink link, int code, String why) {
        lost(link, "it gave up: " + why, /* mayReturn= */ false);
        Current now;
        synchronized (this) {
            now = links.isEmpty() && !closed ? current : null;
        }
        boolean corrupt = code == Reason.INTEGRITY.exitCode();
        if (corrupt && now != null && now.begin.rootRank() == context.rank()) {
            context.controlPlane()
                    .fail(new RobberException(
                            Reason.INTEGRITY,
                            List.of(context.rank()),
                            "multicast " + now.begin.sequence(),
                            context.describe(context.rank())
                                    + " has the data, and nobody wants it from there any more; the" + " last, "
                                    + context.describe(link.rank()) + ", says: " + why));
        }
    }

    /** The connections that there are. */
    synchronized List<PeerLink> all() {
        return List.copyOf(links.values());
    }

    /** Ends all connections, and makes no more. */
    void close() {
        shut().forEach(PeerLink::close);
    }

    /** As {@link #close}, and tells all peers why this node leaves. */
    void abort(RobberException why) {
        shut().forEach(link -> link.abort(why.reason().exitCode(), String.valueOf(why.getMessage())));
    }

    private List<PeerLink> shut() {
        List<CompletableFuture<Channel>> underWay;
        List<PeerLink> open;
        synchronized (this) {
            closed = true;
            underWay = List.copyOf(calls.values());
            open = List.copyOf(links.values());
            links.clear();
        }
        underWay.forEach(call -> call.cancel(false));
        context.listener().forget(channelNumber);
        return open;
    }
}
