package org.robber.transport.job.peer;

import org.robber.core.protocol.Message.Begin;
import org.robber.transport.link.PeerLink;
import org.robber.transport.link.Transfer;

/**
 * The multicast that goes on over the connections of a channel.
 *
 * @param begin how it was begun
 * @param transfer this node's part
 * @param group those that take part
 */
public record RunningTransfer(Begin begin, Transfer transfer, MulticastGroup group) {

    /** The peer takes part. On the event loop of its connection. */
    void beginWith(PeerLink link) {
        link.begin(begin, transfer, group.number(link.rank()));
    }

    /** As {@link #beginWith}. Any thread. */
    void beginSoonWith(PeerLink link) {
        link.channel().eventLoop().execute(() -> beginWith(link));
    }

    /** The node takes no part any more, or not for now. */
    void lose(int rank) {
        transfer.peerLost(group.number(rank));
    }
}
