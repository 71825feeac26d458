package org.robber.transport.job;

import io.netty.channel.Channel;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
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
    private final LinkTable links;

    /** Nodes that were lost to the job. */
    private final Set<Integer> lostNodes = new TreeSet<>();

    private final FirstConnections first;
    private @Nullable Current current;

    /** The multicast that goes on, and with whom; a repair adds peers. */
    private record Current(RunningTransfer running, Set<Integer> peers, SurvivorOverlay survivors) {}

    PeerLinks(JobContext context, int channelNumber) {
        this(context, channelNumber, System::nanoTime);
    }

    PeerLinks(JobContext context, int channelNumber, LongSupplier nanoClock) {
        this.context = context;
        this.channelNumber = channelNumber;
        this.links = new LinkTable(context.linkLimits(), MOST_FAILURES, nanoClock);
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
        Set<Integer> peers = new ConcurrentSkipListSet<>();
        for (int number : overlay.peers(group.number(context.rank()))) {
            peers.add(group.rank(number));
        }
        return peers;
    }

    /** Connects to the peer, if that is up to this node and not under way. */
    private void call(int peer) {
        LinkTable.Attempt attempt = SurvivorOverlay.dials(context.rank(), peer) ? links.reserve(peer) : null;
        if (attempt != null) {
            attempt.run(
                    () -> context.dialer().dial(channelNumber, peer, context.member(peer), context.connectTimeout()),
                    (channel, problem) -> dialed(peer, channel, problem));
        }
    }

    private void dialed(int peer, @Nullable Channel channel, @Nullable Throwable problem) {
        if (channel != null) {
            connected(peer, channel);
        } else {
            unreachable(peer, String.valueOf(problem == null ? null : problem.getMessage()));
        }
    }

    private void unreachable(int peer, String problem) {
        if (!first.areOver()) {
            RobberException failure =
                    context.failure(Reason.NETWORK, peer, "connect", "it cannot be reached: " + problem);
            later(() -> failUnlessGone(peer, failure), TOLD_LATE_MILLIS);
        } else {
            LOG.debug("no connection to rank {}: {}", peer, problem);
            callLater(peer);
        }
    }

    /** Tries again after a pause, unless that was done too often. */
    private void callLater(int peer) {
        links.pauseMillisAfterFailure(peer).ifPresent(millis -> later(() -> call(peer), millis));
    }

    private void failUnlessGone(int peer, RobberException failure) {
        if (!links.isExcluded(peer)) {
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
        links.add(link, () -> opened(link));
    }

    private void opened(PeerLink link) {
        Current now;
        synchronized (this) {
            now = current;
        }
        if (now != null && now.peers.contains(link.rank())) {
            now.running.beginWith(link);
        }
        first.settle(link.rank());
    }

    /**
     * Begins a multicast with all peers of the overlay. Those to which there is no connection yet are connected to; who has not
     * come by the time that connections may take is lost to the transfer.
     */
    void begin(RunningTransfer running, Overlay overlay) {
        MulticastGroup group = running.group();
        Set<Integer> peers = peers(group, overlay);
        Current now = new Current(running, peers, new SurvivorOverlay(group.topology(), overlay));
        List<Integer> before;
        synchronized (this) {
            current = now;
            before = List.copyOf(lostNodes);
        }
        for (int peer : List.copyOf(peers)) {
            PeerLink link = links.get(peer);
            if (link != null) {
                running.beginSoonWith(link);
            } else if (links.isExcluded(peer)) {
                running.lose(peer);
            } else {
                call(peer);
                later(() -> loseIfAbsent(peer, now), context.connectTimeout().toMillis());
            }
        }
        before.forEach(this::repair);
    }

    /** The node was lost to the job: whoever is cut off by that gets other peers. */
    private void repair(int rank) {
        Set<Integer> more = new TreeSet<>();
        Current now;
        synchronized (this) {
            now = current;
            if (now == null) {
                return;
            }
            MulticastGroup group = now.running.group();
            if (group.number(rank) < 0 || !now.survivors.lose(group.number(rank))) {
                return;
            }
            for (int number : now.survivors.current().peers(group.number(context.rank()))) {
                if (now.peers.add(group.rank(number))) {
                    more.add(group.rank(number));
                }
            }
        }
        now.running.transfer().nodeLost(now.running.group().number(rank));
        for (int peer : more) {
            PeerLink link = links.get(peer);
            if (link == null) {
                call(peer);
            } else {
                now.running.beginSoonWith(link);
            }
        }
    }

    @SuppressWarnings("ReferenceEquality") // this very multicast
    private void loseIfAbsent(int peer, Current since) {
        synchronized (this) {
            if (current != since || links.get(peer) != null) {
                return;
            }
        }
        since.running.lose(peer);
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
        LinkTable.Exclusion exclusion = links.exclude(rank);
        if (!exclusion.isNew()) {
            return;
        }
        Current now;
        synchronized (this) {
            now = current;
        }
        if (!exclusion.wasConnected() && now != null && now.peers.contains(rank)) {
            now.running.lose(rank);
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
        if (!links.ended(link)) {
            return;
        }
        if (mayReturn) {
            LOG.debug("the connection to rank {} is lost: {}", peer, why);
            callLater(peer);
        } else {
            links.exclude(peer);
            LOG.info("goes on without {}: {}", context.describe(peer), why);
        }
    }

    @Override
    public void abandoned(PeerLink link, int code, String why) {
        lost(link, "it gave up: " + why, /* mayReturn= */ false);
        Current now;
        synchronized (this) {
            now = links.isEmpty() && !links.isClosed() ? current : null;
        }
        boolean corrupt = code == Reason.INTEGRITY.exitCode();
        if (corrupt && now != null && now.running.begin().rootRank() == context.rank()) {
            context.controlPlane()
                    .fail(new RobberException(
                            Reason.INTEGRITY,
                            List.of(context.rank()),
                            "multicast " + now.running.begin().sequence(),
                            context.describe(context.rank())
                                    + " has the data, and nobody wants it from there any more; the" + " last, "
                                    + context.describe(link.rank()) + ", says: " + why));
        }
    }

    /** The connections that there are. */
    List<PeerLink> all() {
        return links.all();
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
        List<PeerLink> open = links.close();
        context.listener().forget(channelNumber);
        return open;
    }
}
