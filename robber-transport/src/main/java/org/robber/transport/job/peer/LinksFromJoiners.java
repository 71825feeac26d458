package org.robber.transport.job.peer;

import io.netty.channel.Channel;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.core.protocol.Message.Begin;
import org.robber.transport.link.LinkListener;
import org.robber.transport.link.PeerLink;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections that joiners have made to this node over one channel. A joiner connects again, or asks
 * others, when its connection breaks. Thread-safe.
 */
public final class LinksFromJoiners implements LinkListener {
    private static final Logger LOG = LoggerFactory.getLogger(LinksFromJoiners.class);

    private final JobContext context;
    private final LinkTable links;
    private volatile @Nullable RunningTransfer current;

    LinksFromJoiners(JobContext context) {
        this.context = context;
        this.links = new LinkTable(context.linkLimits(), /* mostFailures= */ 0, System::nanoTime);
    }

    /** A joiner has come. */
    void connected(int rank, Channel channel) {
        PeerLink link = new PeerLink(
                rank, channel, context.knownNodes().distance(context.rank(), rank), context.sendRate(rank), this);
        links.add(link, () -> {
            RunningTransfer now = current;
            if (now != null) {
                now.beginWith(link);
            }
        });
    }

    /** Those that are there, and those that come, take part in this. */
    public void begin(RunningTransfer running) {
        current = running;
        links.all().forEach(running::beginSoonWith);
    }

    /** The multicast is over, and so are all these connections; returns them. */
    public List<PeerLink> end() {
        current = null;
        List<PeerLink> over = links.takeAll();
        over.forEach(PeerLink::close);
        return over;
    }

    /** Ends all connections, and takes no more. */
    void close() {
        links.close().forEach(PeerLink::close);
    }

    @Override
    public void mismatch(PeerLink link, Begin ours, Begin theirs) {
        LOG.warn("sends away {}: it joins {}, but this is {}", context.describe(link.rank()), theirs, ours);
        links.ended(link);
        link.close();
    }

    @Override
    public void lost(PeerLink link, String why, boolean mayReturn) {
        LOG.debug("the connection of {} is lost: {}", context.describe(link.rank()), why);
        links.ended(link);
    }

    @Override
    public void abandoned(PeerLink link, int code, String why) {
        LOG.info("{} wants nothing more from here: {}", context.describe(link.rank()), why);
        links.ended(link);
    }
}
