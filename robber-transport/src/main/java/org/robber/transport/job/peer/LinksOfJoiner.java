package org.robber.transport.job.peer;

import io.netty.channel.Channel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.core.driver.JoinerPeers;
import org.robber.core.protocol.Message.Begin;
import org.robber.core.random.SeededRandom;
import org.robber.transport.link.LinkListener;
import org.robber.transport.link.PeerLink;
import org.robber.transport.link.Transfer;
import org.robber.transport.link.pace.SendRate;
import org.robber.transport.reach.PeerDialer;
import org.robber.transport.sockets.Sockets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of a joiner: to a few nodes of its own cluster, or to nodes of other clusters if its own has none left. Thread-safe.
 */
public final class LinksOfJoiner implements LinkListener {
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

    private boolean hasWarned;

    /**
     * The nodes that a joiner knows, and the means to connect to them.
     *
     * @param rank this node
     * @param members how many members the job has: the first by rank
     */
    public record JoinerContext(
            KnownNodes everyone, int rank, int members, Sockets sockets, PeerDialer dialer, LinkTable.Limits limits) {}

    /** @param failed told if no member is left to connect to */
    public LinksOfJoiner(
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
    public void fill() {
        List<LinkTable.Attempt> attempts = new ArrayList<>();
        boolean noneIsLeft;
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
            noneIsLeft = !choice.isAnyLeft();
            warnOnce(choice);
            for (int member : choice.connectTo()) {
                LinkTable.Attempt attempt = links.reserve(member);
                if (attempt != null) {
                    attempts.add(attempt);
                }
            }
        }
        // Both call other objects, which must not happen under the lock.
        if (noneIsLeft) {
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

    /** Whether the member has a connection, or an attempt to connect to it is under way or waits for its time. */
    private boolean isBusy(int member) {
        return links.isBusy(member) || links.isPausing(member);
    }

    private void warnOnce(JoinerPeers.Choice choice) {
        if (!choice.inOwnCluster() && !hasWarned) {
            hasWarned = true;
            LOG.warn(
                    "no node of cluster {} is there: missing pieces come from other clusters",
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

    /** Connects to another member now, and to this one after a pause, unless it failed too often. */
    private void failedOnce(int member) {
        if (!links.retry(member, context.sockets, this::fill)) {
            links.exclude(member);
        }
        fill();
    }

    /** The member is lost to the job. */
    public void lose(int member) {
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
    public void close() {
        links.close().forEach(PeerLink::close);
    }
}
