package org.robber.transport.job;

import io.netty.channel.Channel;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.core.driver.JoinerPeers;
import org.robber.core.protocol.Message.Begin;
import org.robber.core.random.SeededRandom;
import org.robber.transport.link.PeerDialer;
import org.robber.transport.link.PeerLink;
import org.robber.transport.link.SendRate;
import org.robber.transport.link.Transfer;
import org.robber.transport.sockets.Sockets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of a joiner: to a few nodes of its own cluster, or to nodes of other clusters if its own has none left. Thread-safe.
 */
final class LinksOfJoiner implements PeerLink.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(LinksOfJoiner.class);
    /** After this many failures in a row the joiner does without a member. */
    private static final int MOST_FAILURES = 4;

    /** How long to try to connect to one member before others are tried. */
    private static final Duration DIAL_LIMIT = Duration.ofSeconds(10);

    private final JoinerContext context;
    private final int channelNumber;
    private final Begin begin;
    private final Transfer transfer;
    private final Consumer<RobberException> failed;
    private final SeededRandom random = new SeededRandom(new Random().nextLong());
    private final Map<Integer, PeerLink> links = new TreeMap<>();
    private final Map<Integer, CompletableFuture<Channel>> calls = new HashMap<>();
    /** Members that this node is about to call. */
    private final Set<Integer> dialing = new HashSet<>();

    private final ReconnectBudget reconnects = new ReconnectBudget(MOST_FAILURES, System::nanoTime);
    /** Members that are lost, or of no use. */
    private final Set<Integer> gone = new HashSet<>();

    /** Members that are called again after a pause. */
    private final Set<Integer> resting = new HashSet<>();

    private boolean abroad;
    private boolean closed;

    /**
     * What a joiner has to work with.
     *
     * @param rank this node
     * @param members how many members the job has: the first by rank
     */
    record JoinerContext(
            KnownNodes everyone, int rank, int members, Sockets sockets, PeerDialer dialer, Limits limits) {}

    /** How long a peer may say nothing, and how long one that owes pieces may send nothing. */
    record Limits(Duration idle, Duration peerStall) {}

    /** @param failed told if there is nobody left to ask */
    LinksOfJoiner(
            JoinerContext context,
            int channelNumber,
            Begin begin,
            Transfer transfer,
            Consumer<RobberException> failed) {
        this.context = context;
        this.channelNumber = channelNumber;
        this.begin = begin;
        this.transfer = transfer;
        this.failed = failed;
    }

    /** Connects to as many as there should be. */
    void fill() {
        List<Integer> fresh = List.of();
        boolean nobodyLeft;
        synchronized (this) {
            if (closed) {
                return;
            }
            JoinerPeers.Choice choice = JoinerPeers.choose(
                    context.everyone.topology(), context.members, context.rank, gone::contains, this::isBusy, random);
            nobodyLeft = !choice.isAnyLeft();
            warnOnce(choice);
            fresh = choice.connectTo();
            dialing.addAll(fresh);
        }
        // Both call code of others, which must not run under the lock.
        if (nobodyLeft) {
            failed.accept(new RobberException(
                    Reason.NETWORK,
                    List.of(context.rank),
                    "transfer",
                    "no node of the job is left that " + context.everyone.describe(context.rank) + " can reach"));
        }
        fresh.forEach(this::dial);
    }

    private void dial(int member) {
        CompletableFuture<Channel> call =
                context.dialer.dial(channelNumber, member, context.everyone.member(member), DIAL_LIMIT);
        boolean unwanted;
        synchronized (this) {
            dialing.remove(member);
            calls.put(member, call);
            unwanted = closed || gone.contains(member);
        }
        if (unwanted) {
            call.cancel(false);
        }
        call.whenComplete((channel, problem) -> called(member, call, channel, problem));
    }

    /** Whether the member has its connection, or will have, or not for now. */
    private boolean isBusy(int member) {
        return links.containsKey(member)
                || dialing.contains(member)
                || calls.containsKey(member)
                || resting.contains(member);
    }

    private void warnOnce(JoinerPeers.Choice choice) {
        if (!choice.inOwnCluster() && !abroad) {
            abroad = true;
            LOG.warn(
                    "no node of cluster {} is there: what is missing comes from other clusters",
                    context.everyone.member(context.rank).cluster());
        }
    }

    private void called(
            int member, CompletableFuture<Channel> call, @Nullable Channel channel, @Nullable Throwable problem) {
        synchronized (this) {
            calls.remove(member, call);
        }
        if (channel == null) {
            LOG.debug("no connection to {}", context.everyone.describe(member), problem);
            failedOnce(member);
            return;
        }
        // A joiner sends no pieces.
        PeerLink link = new PeerLink(
                member, channel, context.everyone.distance(context.rank, member), SendRate.unlimited(), this);
        synchronized (this) {
            if (closed || gone.contains(member)) {
                channel.close();
                return;
            }
            links.put(member, link);
            reconnects.opened(member);
        }
        channel.eventLoop().execute(() -> {
            link.open(context.limits.idle, context.limits.peerStall);
            link.begin(begin, transfer, member);
        });
    }

    /** Asks somebody else, and this one again later, but not too often. */
    private void failedOnce(int member) {
        OptionalLong pauseMillis;
        synchronized (this) {
            pauseMillis = reconnects.pauseMillisAfterFailure(member);
            if (pauseMillis.isEmpty()) {
                gone.add(member);
            } else {
                resting.add(member);
            }
        }
        try {
            pauseMillis.ifPresent(
                    millis -> context.sockets.group().schedule(() -> rested(member), millis, TimeUnit.MILLISECONDS));
        } catch (RejectedExecutionException e) {
            LOG.debug("closing", e);
        }
        fill();
    }

    private void rested(int member) {
        synchronized (this) {
            resting.remove(member);
        }
        fill();
    }

    /** The member is lost to the job. */
    void lose(int member) {
        PeerLink link;
        CompletableFuture<Channel> call;
        synchronized (this) {
            gone.add(member);
            link = links.remove(member);
            call = calls.get(member);
        }
        if (call != null) {
            call.cancel(false);
        }
        if (link != null) {
            link.replace(() -> {});
        }
        fill();
    }

    @Override
    public void mismatch(PeerLink link, Begin ours, Begin theirs) {
        abandoned(link, 0, "it has begun " + theirs + ", and not " + ours);
    }

    @Override
    public void lost(PeerLink link, String why, boolean mayReturn) {
        LOG.debug("the connection to {} is lost: {}", context.everyone.describe(link.rank()), why);
        synchronized (this) {
            if (links.remove(link.rank(), link)) {
                reconnects.ended(link.rank());
            }
        }
        if (mayReturn) {
            failedOnce(link.rank());
        } else {
            lose(link.rank());
        }
    }

    @Override
    public void abandoned(PeerLink link, int code, String why) {
        LOG.info("goes on without {}: {}", context.everyone.describe(link.rank()), why);
        lose(link.rank());
    }

    /** Ends all connections, and makes no more. */
    void close() {
        List<CompletableFuture<Channel>> underWay;
        List<PeerLink> open;
        synchronized (this) {
            closed = true;
            underWay = List.copyOf(calls.values());
            open = List.copyOf(links.values());
            links.clear();
        }
        underWay.forEach(call -> call.cancel(false));
        open.forEach(PeerLink::close);
    }
}
