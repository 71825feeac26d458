package org.robber.transport.rendezvous;

import java.util.concurrent.CompletableFuture;
import org.robber.transport.control.ControlMessage;

/** The connection of a node to rank 0. Rank 0 has one to itself. To be used on the control plane's event loop only. */
interface RankZeroConnection {

    void send(ControlMessage message);

    /**
     * Ends it, within a few seconds.
     *
     * @param inPeace whether nothing has failed
     * @return completes when it has ended
     */
    CompletableFuture<Void> leave(boolean inPeace);
}
