package org.robber.transport.job.peer;

import io.netty.channel.Channel;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.core.driver.SurvivorOverlay;
import org.robber.core.protocol.Message.Begin;
import org.robber.core.topology.Overlay;
import org.robber.transport.link.LinkListener;
import org.robber.transport.link.PeerLink;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of one channel: one to every peer of the overlay, made by the higher rank to the lower, and made again
 * if they break while the peer takes part in the job. Thread-safe.
 */
public final class PeerLinks implements LinkListener {
    private static final Logger LOG = LoggerFactory.getLogger(PeerLinks.class);

    /** After this many failures in a row the two nodes do without a connection. */
    private static final int MOST_FAILURES = 10;

    /** How long a peer that cannot be reached may be a dead one whose loss rank 0 has not announced yet. */
    public static final long TOLD_LATE_MILLIS = 2000;

    private final JobContext context;
    private final long channelNumber;
    private final LinkTable links;

    private final LinksFromJoiners joiners;
    private final FirstConnections first;
    private final MulticastPeers multicast;

    public PeerLinks(JobContext context, long channelNumber) {
        this(context, channelNumber, System::nanoTime);
    }

    PeerLinks(JobContext context, long channelNumber, LongSupplier nanoClock) {
        this.context = context;
        this.channelNumber = channelNumber;
        this.links = new LinkTable(context.linkLimits(), MOST_FAILURES, nanoClock);
        this.joiners = new LinksFromJoiners(context);
        this.first = new FirstConnections(context);
        this.multicast = new MulticastPeers(context, links, this::connect);
    }

    /**
     * Makes the first connections. The future completes once each peer that is not lost has one. It fails at the connect timeout, and
     * names the peers without one.
     */
    public CompletableFuture<Void> open(MulticastGroup group, Overlay overlay) {
        Set<Integer> peers = multicast.peers(group, overlay);
        first.expect(peers.stream().filter(peer -> !links.isExcluded(peer)).toList());
        context.listener().expect(channelNumber, (rank, channel) -> {
            if (context.isJoiner(rank)) {
                joiners.connected(rank, channel);
            } else {
                connected(rank, channel);
            }
        });
        for (int number = 1; number <= PeerLink.MOST_SIDES && channelNumber >= 0; number++) {
            context.listener().expect(sideNumber(number), this::sideConnected);
        }
        peers.forEach(this::connect);
        return first.await();
    }

    /** Connects to the peer, if that is up to this node and not under way. */
    private void connect(int peer) {
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
            context.sockets().later(() -> failUnlessGone(peer, failure), TOLD_LATE_MILLIS);
        } else {
            LOG.debug("no connection to rank {}: {}", peer, problem);
            boolean unused = links.retry(peer, context.sockets(), () -> connect(peer));
        }
    }

    private void failUnlessGone(int peer, RobberException failure) {
        if (!links.isExcluded(peer)) {
            first.fail(failure);
        }
    }

    private void connected(int peer, Channel channel) {
        PeerLink link = new PeerLink(
                peer, channel, context.nearness().distance(context.rank(), peer), context.sendRate(peer), this);
        links.add(link, () -> {
            multicast.opened(link);
            first.settle(peer);
            if (channelNumber >= 0 && SurvivorOverlay.dials(context.rank(), peer)) {
                link.widen(context.topology().linesBetween(context.rank(), peer), number -> dialSide(link, number));
            }
        });
    }

    /** The number under which a further connection of this channel is made: those of channels take 31 bits. */
    private long sideNumber(int number) {
        return ((long) number << Integer.SIZE) + channelNumber;
    }

    private void dialSide(PeerLink link, int number) {
        int peer = link.rank();
        LOG.debug("one connection does not fill the line to rank {}: makes connection {} beside it", peer, number);
        context.dialer()
                .dial(sideNumber(number), peer, context.member(peer), context.connectTimeout())
                .whenComplete((side, problem) -> {
                    if (side != null) {
                        link.addSide(side, context.idleTimeout());
                    } else {
                        LOG.debug("goes on without connection {} to rank {}", number, peer, problem);
                    }
                });
    }

    private void sideConnected(int peer, Channel side) {
        PeerLink link = links.get(peer);
        if (link == null) {
            side.close();
        } else {
            link.addSide(side, context.idleTimeout());
        }
    }

    /** The peers of the multicast that goes on. */
    public MulticastPeers multicast() {
        return multicast;
    }

    /** The connections of nodes that are no members of the job. */
    public LinksFromJoiners joiners() {
        return joiners;
    }

    /** The node was lost to the job. */
    public void nodeLost(int rank) {
        lose(rank);
        multicast.nodeLost(rank);
    }

    /** The node is no peer any more: lost, or not worth being listened to. */
    public void lose(int rank) {
        LinkTable.Exclusion exclusion = links.exclude(rank);
        if (!exclusion.isNew()) {
            return;
        }
        if (!exclusion.wasConnected()) {
            multicast.unreachable(rank);
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
            boolean unused = links.retry(peer, context.sockets(), () -> connect(peer));
        } else {
            links.exclude(peer);
            LOG.info("goes on without {}: {}", context.describe(peer), why);
        }
    }

    @Override
    public void abandoned(PeerLink link, int code, String why) {
        lost(link, "it gave up: " + why, /* mayReturn= */ false);
        RunningTransfer running = links.isEmpty() && !links.isClosed() ? multicast.running() : null;
        boolean corrupt = code == Reason.INTEGRITY.exitCode();
        if (corrupt && running != null && running.transfer().hasSource()) {
            context.controlPlane()
                    .fail(new RobberException(
                            Reason.INTEGRITY,
                            List.of(context.rank()),
                            "multicast " + running.begin().sequence(),
                            context.describe(context.rank())
                                    + " has the data, but every peer has refused it; the last, "
                                    + context.describe(link.rank()) + ", says: " + why));
        }
    }

    /** The connections that there are. */
    public List<PeerLink> all() {
        return links.all();
    }

    /** The first connections are not waited for any more. */
    public void endWait(RobberException why) {
        first.fail(why);
    }

    /** Ends all connections, and makes no more. */
    public void close() {
        shut().forEach(PeerLink::close);
    }

    /** As {@link #close}, and tells all peers why this node leaves. */
    public void abort(RobberException why) {
        endWait(why);
        shut().forEach(link -> link.abort(why.reason().exitCode(), String.valueOf(why.getMessage())));
    }

    private List<PeerLink> shut() {
        joiners.close();
        List<PeerLink> open = links.close();
        context.listener().forget(channelNumber);
        for (int number = 1; number <= PeerLink.MOST_SIDES && channelNumber >= 0; number++) {
            context.listener().forget(sideNumber(number));
        }
        return open;
    }
}
