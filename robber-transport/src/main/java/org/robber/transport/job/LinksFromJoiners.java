package org.robber.transport.job;

import io.netty.channel.Channel;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.robber.core.protocol.Message.Begin;
import org.robber.transport.link.PeerLink;
import org.robber.transport.link.Transfer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections that joiners have made to this node over one channel. A joiner connects again, or asks
 * others, when its connection breaks. Thread-safe.
 */
final class LinksFromJoiners implements PeerLink.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(LinksFromJoiners.class);

    private final JobContext context;
    private final Map<Integer, PeerLink> links = new TreeMap<>();
    private @Nullable Current current;
    private boolean closed;

    /** The multicast that goes on. */
    private record Current(Begin begin, Transfer transfer, MulticastGroup group) {}

    LinksFromJoiners(JobContext context) {
        this.context = context;
    }

    /** A joiner has come. */
    void connected(int rank, Channel channel) {
        PeerLink link = new PeerLink(
                rank, channel, context.knownNodes().distance(context.rank(), rank), context.sendRate(rank), this);
        PeerLink earlier;
        synchronized (this) {
            if (closed) {
                channel.close();
                return;
            }
            earlier = links.put(rank, link);
        }
        link.takeOver(earlier, () -> open(link));
    }

    @SuppressWarnings("ReferenceEquality") // a later connection of the same joiner has taken its place
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
        if (now != null) {
            link.begin(now.begin, now.transfer, now.group.number(link.rank()));
        }
    }

    /** Those that are there, and those that come, take part in this. */
    void begin(Begin begin, Transfer transfer, MulticastGroup group) {
        List<PeerLink> there;
        synchronized (this) {
            current = new Current(begin, transfer, group);
            there = List.copyOf(links.values());
        }
        there.forEach(link ->
                link.channel().eventLoop().execute(() -> link.begin(begin, transfer, group.number(link.rank()))));
    }

    /** The multicast is over, and so are all these connections; returns them. */
    List<PeerLink> end() {
        List<PeerLink> over;
        synchronized (this) {
            current = null;
            over = List.copyOf(links.values());
            links.clear();
        }
        over.forEach(PeerLink::close);
        return over;
    }

    /** Ends all connections, and takes no more. */
    void close() {
        synchronized (this) {
            closed = true;
        }
        end();
    }

    @Override
    public void mismatch(PeerLink link, Begin ours, Begin theirs) {
        LOG.warn("sends away {}: it joins {}, but this is {}", context.describe(link.rank()), theirs, ours);
        forget(link);
        link.close();
    }

    @Override
    public void lost(PeerLink link, String why, boolean mayReturn) {
        LOG.debug("the connection of {} is lost: {}", context.describe(link.rank()), why);
        forget(link);
    }

    @Override
    public void abandoned(PeerLink link, int code, String why) {
        LOG.info("{} wants nothing more from here: {}", context.describe(link.rank()), why);
        forget(link);
    }

    private synchronized void forget(PeerLink link) {
        links.remove(link.rank(), link);
    }
}
