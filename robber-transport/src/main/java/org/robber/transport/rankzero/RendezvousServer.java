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
import java.util.concurrent.ConcurrentHashMap;
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
import org.robber.transport.control.ControlMessage.MeasureRoundTrip;
import org.robber.transport.control.ControlMessage.Roster;
import org.robber.transport.control.ControlMessage.RoundTrip;
import org.robber.transport.control.ControlType;
import org.robber.transport.rendezvous.ControlClient;
import org.robber.transport.security.Credentials;
import org.robber.transport.security.GreetingFailed;
import org.robber.transport.security.UnauthenticatedConnections;
import org.robber.transport.sockets.Hosts;
import org.robber.transport.sockets.LoopLimit;
import org.robber.transport.sockets.RoundTripTimer;
import org.robber.transport.sockets.Sockets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rendezvous at rank 0. It admits each node that proves the secret and belongs to this job, until all are there. A node that
 * does not fit is refused and gets the reason. A connection that does not belong to the job is closed, with no effect on the job. Belongs to one event loop.
 */
final class RendezvousServer implements ControlLinkListener {
    private static final Logger LOG = LoggerFactory.getLogger(RendezvousServer.class);
    private static final long ANNOUNCE_LIMIT_SECONDS = 10;
    private static final long FAILED_LIMIT_SECONDS = 2;

    private final JobOptions options;
    private final EventLoop loop;
    private final Function<InetSocketAddress, CompletableFuture<Long>> roundTrips;
    private final Credentials credentials;
    private final AnnouncementCheck check;
    private final RankTable rankTable;
    private final UnauthenticatedConnections unauthenticated;
    private final Map<ControlLink, UnauthenticatedConnections.Entry> entries = new ConcurrentHashMap<>();
    private final Map<ControlLink, LoopLimit> announceLimits = new HashMap<>();
    private final FailedGreetings failedProofs =
            new FailedGreetings("failed to prove the secret: is ROBBER_SECRET_FILE the same on every node?");
    private final FailedGreetings otherVersions =
            new FailedGreetings("runs another version of Robber: install the same one on every node");
    private final JoinerRegistry joiners;
    private final CompletableFuture<ControlClient> everyone = new CompletableFuture<>();
    private @Nullable Channel listeningChannel;
    private @Nullable RobberException failure;
    private @Nullable ClusterSearch search;
    /** Rounds of searches that came to nothing. */
    private int abandonedRounds;

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
        this.roundTrips = roundTrips;
        this.credentials = credentials;
        this.check = new AnnouncementCheck(options);
        this.rankTable = new RankTable(own);
        this.unauthenticated = new UnauthenticatedConnections("rank 0", options.size());
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
        // On the connection's loop: greetings and handshakes of many nodes go on side by side.
        UnauthenticatedConnections.Entry entry = unauthenticated.admit(channel);
        ControlLink link = ControlLink.on(
                channel,
                loop,
                entry.toString(),
                credentials.listening(),
                ControlType.FROM_NEW_NODE,
                options.silenceTimeout(),
                this);
        entries.put(link, entry);
    }

    @Override
    public void greeted(ControlLink link) {
        announceLimits.put(
                link,
                LoopLimit.start(
                        loop,
                        ANNOUNCE_LIMIT_SECONDS,
                        () -> link.close("it did not announce itself within " + ANNOUNCE_LIMIT_SECONDS + " s")));
    }

    @Override
    public void received(ControlLink link, ControlMessage message) {
        if (message instanceof RoundTrip measured) {
            measured(link, measured);
            return;
        }
        UnauthenticatedConnections.Entry entry = entries.remove(link);
        endAnnounceLimit(link);
        if (entry == null || !entry.end()) {
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

    private void measured(ControlLink link, RoundTrip answer) {
        Integer rank = rankTable.links().get(link);
        ClusterSearch current = search;
        if (rank != null && current != null) {
            current.measured(rank, answer);
        }
    }

    private void endAnnounceLimit(ControlLink link) {
        LoopLimit limit = announceLimits.remove(link);
        if (limit != null) {
            limit.cancel();
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
        abandonSearch();
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
        UnauthenticatedConnections.Entry entry = entries.remove(link);
        endAnnounceLimit(link);
        if (entry != null) {
            GreetingFailed greeting = link.greetingFailure();
            if (greeting != null && greeting.kind() == GreetingFailed.Kind.SECRET) {
                failedProofs.add(entry.from());
            } else if (greeting != null && greeting.kind() == GreetingFailed.Kind.VERSION) {
                otherVersions.add(entry.from());
            }
            if (greeting == null || greeting.kind() != GreetingFailed.Kind.LEFT) {
                entry.refuse(why);
            }
            entry.end();
        } else if (!complete) {
            // It may come again: nothing depends on it until all nodes are there.
            Announce node = rankTable.release(link);
            if (node != null) {
                abandonSearch();
                LOG.warn("{} came and is gone again: {}", ControlFailures.who(node), why);
            }
        }
        if (failure != null && rankTable.links().isEmpty()) {
            shut();
        }
    }

    private void completeIfAllAreHere() {
        Channel listening = listeningChannel;
        if (listening == null || complete || failure != null || search != null || !rankTable.isFull()) {
            return;
        }
        InetAddress ours = ((InetSocketAddress) listening.localAddress()).getAddress();
        Whereabouts nodes = rankTable.whereabouts(ours, LocalAddresses.ofThisMachine());
        ClusterSearch begun = new ClusterSearch(
                options.clusterBy(), nodes, abandonedRounds, new WaitingNodes(), found -> complete(nodes, found));
        search = begun;
        try {
            begun.start();
        } catch (RobberException e) {
            fail(e);
        }
    }

    /** Somebody has left, or has come in the place of another one: all must be there again. */
    private void abandonSearch() {
        if (search != null) {
            abandonedRounds = search.abandon();
            search = null;
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

    /** The nodes that have come, for the search of clusters. */
    private final class WaitingNodes implements ClusterSearch.Network {
        @Override
        public void ask(int rank, MeasureRoundTrip question) {
            if (rank == 0) {
                InetAddress target = Hosts.numeric(question.address(), InetAddress.getLoopbackAddress());
                var unused = roundTrips
                        .apply(new InetSocketAddress(target, question.port()))
                        .thenAccept(micros -> Sockets.runOn(loop, () -> {
                            ClusterSearch current = search;
                            if (current != null) {
                                current.measured(0, new RoundTrip(question.round(), micros));
                            }
                        }));
                return;
            }
            rankTable.linkOf(rank).ifPresent(link -> link.send(question));
        }

        @Override
        public void later(long seconds, Runnable work) {
            var unused = loop.schedule(work, seconds, TimeUnit.SECONDS);
        }
    }

    private void failForTooFew() {
        if (search != null) {
            // All are there, and it would end soon anyway.
            search.conclude();
            return;
        }
        List<Integer> missing = rankTable.missing();
        String text = missing.size() + " of " + options.size() + " nodes did not come within "
                + ControlFailures.seconds(options.connectTimeout()) + ": " + ControlFailures.ranks(missing);
        fail(ControlFailures.connecting(Reason.TOO_FEW_NODES, missing, text + failedProofs + otherVersions));
    }

    /** Ends the job before it has begun, and sends the failure to all nodes that have come. */
    void fail(RobberException cause) {
        if (complete || failure != null) {
            return;
        }
        failure = cause;
        abandonSearch();
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
        unauthenticated.closeAll();
    }
}
