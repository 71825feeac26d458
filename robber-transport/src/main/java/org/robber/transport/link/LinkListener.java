package org.robber.transport.link;

import org.robber.core.protocol.Message.Begin;

/** Told of events of a connection that concern more than one multicast. On the connection's event loop. */
public interface LinkListener {
    /** The peer began another multicast than this node. */
    void mismatch(PeerLink link, Begin ours, Begin theirs);

    /**
     * The connection ended, or the peer broke the protocol, fell silent or read nothing; not told after {@link PeerLink#close}.
     *
     * @param mayReturn whether it may be of use to connect again
     */
    void lost(PeerLink link, String why, boolean mayReturn);

    /** The peer has aborted: it wants nothing more from this node, or gives up the job. The connection has ended. */
    void abandoned(PeerLink link, int code, String why);
}
