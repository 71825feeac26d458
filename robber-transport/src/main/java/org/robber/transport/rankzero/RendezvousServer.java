package org.robber.transport.rankzero;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.robber.JobOptions;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.transport.control.ControlFailures;
import org.robber.transport.control.ControlLink;
import org.robber.transport.control.ControlLinkListener;
import org.robber.transport.control.ControlMessage;
import org.robber.transport.control.ControlMessage.Announce;
import org.robber.transport.control.ControlMessage.Join;
import org.robber.transport.control.ControlMessage.Roster;
import org.robber.transport.control.ControlMessage.RoundTrip;
import org.robber.transport.control.ControlType;
import org.robber.transport.rendezvous.ControlClient;
import org.robber.transport.security.Credentials;
import org.robber.transport.sockets.RoundTripTimer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rendezvous at rank 0. It admits each node that proves the secret and belongs to this job, until all are there. A node that
 * does not fit is refused and gets the reason. A connection that does not belong to the job is closed, with no effect on the job. Belongs to one event loop.
 */
final class RendezvousServer implements ControlLinkListener {
    private static final Logger LOG = LoggerFactory.getLogger(RendezvousServer.class);
    private static final long FAILED_LIMIT_SECONDS = 2;

    private final JobOptions options;
    private final EventLoop loop;
    private final AnnouncementCheck check;
    private final RankTable rankTable;
    private final ClusterSearches searches;
    private final NewConnections newcomers;
    private final JoinerRegistry joiners;
    private final CompletableFuture<ControlClient> everyone = new CompletableFuture<>();
    private @Nullable Channel listeningChannel;
    private @Nullable RobberException failure;
    private boolean complete;

    /** @param roundTrips measures round-trip times from this node, as {@link RoundTripTimer#measure} does */
    RendezvousServer(
            JobOptions options,
            Credentials credentials,
            Function<InetSocketAddress, CompletableFuture<Long>> roundTrips,
            Announce own,
            EventLoop loop) {
        this.options = options;
        this.loop = loop;
        this.check = new AnnouncementCheck(options);
        this.rankTable = new RankTable(own);
        this.searches = new ClusterSearches(options.clusterBy(), loop, rankTable, roundTrips);
        this.newcomers = new NewConnections(options, credentials, loop, this);
        this.joiners = new JoinerRegistry(options, loop);
    }

    /** Completes when all nodes are there, or with the failure when it was sent to all nodes that came. */
    CompletableFuture<ControlClient> everyone() {
        return everyone;
    }

    /** The time limit begins now. */
    void open(Channel listening) {
        listeningChannel = listening;
        var timeout =
                loop.schedule(this::failForTooFew, options.connectTimeout().toMillis(), TimeUnit.MILLISECONDS);
        var unused = everyone.whenComplete((controlPlane, failed) -> timeout.cancel(false));
        completeIfAllAreHere();
    }

    /** Greets a new connection. */
    void admit(Channel channel) {
        newcomers.admit(channel);
    }

    @Override
    public void greeted(ControlLink link) {
        newcomers.greeted(link);
    }

    @Override
    public void received(ControlLink link, ControlMessage message) {
        if (message instanceof RoundTrip measured) {
            searches.measured(link, measured);
            return;
        }
        if (!newcomers.announced(link)) {
            return;
        }
        if (message instanceof Announce announce) {
            announced(link, announce);
        } else if (message instanceof Join join && failure == null) {
            joiners.admission().requested(link, join);
        } else if (failure != null) {
            link.finish(ControlFailures.toMessage(failure, options.size()));
        }
    }

    private void announced(ControlLink link, Announce node) {
        if (failure != null) {
            link.finish(ControlFailures.toMessage(failure, options.size()));
            return;
        }
        String mismatch = check.mismatch(node);
        if (mismatch != null) {
            Reason reason = check.isOfThisJob(node) ? Reason.NETWORK : Reason.USAGE;
            refuse(link, reason, mismatch);
            if (!complete && node.job().equals(options.job())) {
                fail(ControlFailures.connecting(reason, List.of(node.rank(), 0), mismatch));
            }
            return;
        }
        Announce holder = rankTable.announcementOf(node.rank());
        if (holder != null && !rankTable.replaceConnection(node, complete)) {
            refuse(
                    link,
                    Reason.USAGE,
                    "there are two nodes of one rank: " + ControlFailures.who(node) + " came when "
                            + ControlFailures.who(holder) + " was there already");
            return;
        }
        searches.abandon();
        link.handTo(this, ControlType.FROM_WAITING_NODE);
        rankTable.assign(node, link);
        completeIfAllAreHere();
    }

    private void refuse(ControlLink link, Reason reason, String why) {
        LOG.warn("refused the connection with {}: {}", link, why);
        link.finish(new ControlMessage.Refuse(reason.exitCode(), why));
    }

    @Override
    public void ended(ControlLink link, String why) {
        if (!newcomers.ended(link, why) && !complete) {
            // It may come again: nothing depends on it until all nodes are there.
            Announce node = rankTable.release(link);
            if (node != null) {
                searches.abandon();
                // All leave a job that has failed.
                if (failure == null) {
                    LOG.warn("{} came and is gone again: {}", ControlFailures.who(node), why);
                }
            }
        }
        if (failure != null && rankTable.links().isEmpty()) {
            shut();
        }
    }

    private void completeIfAllAreHere() {
        Channel listening = listeningChannel;
        if (listening == null || complete || failure != null || searches.hasBegun() || !rankTable.isFull()) {
            return;
        }
        InetAddress ours = ((InetSocketAddress) listening.localAddress()).getAddress();
        Whereabouts nodes = rankTable.whereabouts(ours, LocalAddresses.ofThisMachine());
        try {
            searches.begin(nodes, found -> complete(nodes, found));
        } catch (RobberException e) {
            fail(e);
        }
    }

    private void complete(Whereabouts nodes, ClusterSearch.Found found) {
        if (failure != null) {
            return;
        }
        try {
            complete = true;
            long seed = new SecureRandom().nextLong();
            Map<ControlLink, Integer> links = new HashMap<>(rankTable.links());
            Roster roster = nodes.roster(seed, found.clusters(), /* forOthers= */ false);
            ControlServer controlServer =
                    new ControlServer(loop, roster, found.how(), links, joiners, this::stopListening);
            controlServer.begin(nodes.roster(seed, found.clusters(), /* forOthers= */ true));
            everyone.complete(controlServer.own());
        } catch (IllegalArgumentException e) {
            complete = false;
            fail(ControlFailures.connecting(
                    Reason.USAGE, List.of(0), "the list of nodes is too long: " + e.getMessage()));
        }
    }

    private void failForTooFew() {
        if (searches.hasBegun()) {
            // All are there, and it would end soon anyway.
            searches.conclude();
            return;
        }
        List<Integer> missing = rankTable.missing();
        String text = missing.size() + " of " + options.size() + " nodes did not come within "
                + ControlFailures.seconds(options.connectTimeout()) + ": " + ControlFailures.ranks(missing);
        fail(ControlFailures.connecting(Reason.TOO_FEW_NODES, missing, text + newcomers.failures()));
    }

    /** Ends the job before it has begun, and sends the failure to all nodes that have come. */
    void fail(RobberException cause) {
        if (complete || failure != null) {
            return;
        }
        failure = cause;
        searches.abandon();
        joiners.jobFailed(ControlFailures.toMessage(cause, options.size()));
        Set<ControlLink> links = Set.copyOf(rankTable.links().keySet());
        if (links.isEmpty()) {
            shut();
            return;
        }
        ControlMessage.Fail message = ControlFailures.toMessage(cause, options.size());
        links.forEach(link -> link.finish(message));
        var unused = loop.schedule(this::shut, FAILED_LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    private void shut() {
        if (failure != null && !everyone.isDone()) {
            stopListening();
            List.copyOf(rankTable.links().keySet()).forEach(link -> link.close("the job has failed"));
            everyone.completeExceptionally(failure);
        }
    }

    private void stopListening() {
        joiners.end();
        if (listeningChannel != null) {
            var unused = listeningChannel.close();
        }
        newcomers.closeAll();
    }
}
