package org.robber.transport.rendezvous;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.robber.transport.control.ControlLink;
import org.robber.transport.control.ControlMessage;

/** The connection of a node to rank 0. Rank 0 has one to itself. To be used on the control plane's event loop only. */
public interface RankZeroConnection {

    void send(ControlMessage message);

    /**
     * This node has come to the end of a call.
     *
     * @param reply used by rank 0 only: its reply to all, made from the payloads by rank
     */
    default void arrive(ControlMessage.Arrive arrive, Function<List<byte[]>, byte[]> reply) {
        send(arrive);
    }

    /**
     * Ends it, within a few seconds.
     *
     * @param inPeace whether nothing has failed
     * @return completes when it has ended
     */
    CompletableFuture<Void> leave(boolean inPeace);

    /** The connection of another node than rank 0. */
    static RankZeroConnection over(ControlLink link) {
        return new RankZeroConnection() {
            @Override
            public void send(ControlMessage message) {
                link.send(message);
            }

            @Override
            public CompletableFuture<Void> leave(boolean inPeace) {
                if (inPeace) {
                    // Rank 0 closes the connection when it has read this. If we did, with something unread on our side,
                    // the connection would be reset, and the goodbye lost.
                    link.finish(new ControlMessage.Goodbye());
                } else {
                    link.close("the job has failed");
                }
                return link.closed();
            }
        };
    }
}
