package org.robber.transport.job;

import io.netty.channel.Channel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
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
    private final LinkTable links;

    /** Members that are called again after a pause. */
    private final Set<Integer> resting = new HashSet<>();

    private boolean abroad;
    /**
     * What a joiner has to work with.
     *
     * @param rank this node
     * @param members how many members the job has: the first by rank
     */
    record JoinerContext(
            KnownNodes everyone, int rank, int members, Sockets sockets, PeerDialer dialer, LinkTable.Limits limits) {}

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
        this.links = new LinkTable(context.limits, MOST_FAILURES, System::nanoTime);
    }

    /** Connects to as many as there should be. */
    void fill() {
        List<LinkTable.Attempt> attempts = new ArrayList<>();
        boolean nobodyLeft;
        synchronized (this) {
            if (links.isClosed()) {
                return;
            }
            JoinerPeers.Choice choice = JoinerPeers.choose(
                    context.everyone.topology(),
                    context.members,
                    context.rank,
                    links::isExcluded,
                    this::isBusy,
                    random);
            nobodyLeft = !choice.isAnyLeft();
            warnOnce(choice);
            for (int member : choice.connectTo()) {
                LinkTable.Attempt attempt = links.reserve(member);
                if (attempt != null) {
                    attempts.add(attempt);
                }
            }
        }
        // Both call code of others, which must not run under the lock.
        if (nobodyLeft) {
            failed.accept(new RobberException(
                    Reason.NETWORK,
                    List.of(context.rank),
                    "transfer",
                    "no node of the job is left that " + context.everyone.describe(context.rank) + " can reach"));
        }
        attempts.forEach(this::dial);
    }

    private void dial(LinkTable.Attempt attempt) {
        int member = attempt.rank();
        attempt.run(
                () -> context.dialer.dial(channelNumber, member, context.everyone.member(member), DIAL_LIMIT),
                (channel, problem) -> dialed(member, channel, problem));
    }

    /** Whether the member has its connection, or will have, or not for now. */
    private boolean isBusy(int member) {
        return links.isBusy(member) || resting.contains(member);
    }

    private void warnOnce(JoinerPeers.Choice choice) {
        if (!choice.inOwnCluster() && !abroad) {
            abroad = true;
            LOG.warn(
                    "no node of cluster {} is there: what is missing comes from other clusters",
                    context.everyone.member(context.rank).cluster());
        }
    }

    private void dialed(int member, @Nullable Channel channel, @Nullable Throwable problem) {
        if (channel == null) {
            LOG.debug("no connection to {}", context.everyone.describe(member), problem);
            failedOnce(member);
            return;
        }
        // A joiner sends no pieces.
        PeerLink link = new PeerLink(
                member, channel, context.everyone.distance(context.rank, member), SendRate.unlimited(), this);
        links.add(link, () -> link.begin(begin, transfer, member));
    }

    /** Asks somebody else, and this one again later, but not too often. */
    private void failedOnce(int member) {
        OptionalLong pauseMillis = links.pauseMillisAfterFailure(member);
        if (pauseMillis.isEmpty()) {
            links.exclude(member);
        } else {
            synchronized (this) {
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
        links.exclude(member);
        fill();
    }

    @Override
    public void mismatch(PeerLink link, Begin ours, Begin theirs) {
        abandoned(link, 0, "it has begun " + theirs + ", and not " + ours);
    }

    @Override
    public void lost(PeerLink link, String why, boolean mayReturn) {
        LOG.debug("the connection to {} is lost: {}", context.everyone.describe(link.rank()), why);
        links.ended(link);
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
        links.close().forEach(PeerLink::close);
    }
}
