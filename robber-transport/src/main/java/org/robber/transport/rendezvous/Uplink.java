package org.robber.transport.rendezvous;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.robber.RobberException;
import org.robber.core.protocol.ControlMessage;

/** A node's way to rank 0, which is rank 0's way to itself as well. To be used on the assembly's event loop only. */
interface Uplink {

    void send(ControlMessage message);

    /** How rank 0 answers this call; of no use elsewhere. To be said before this node arrives. */
    void reply(long number, Function<List<byte[]>, byte[]> reply);

    /** At rank 0: see {@link Assembly#goOnWithoutLost}. Of no use elsewhere. */
    void goOnWithoutLost();

    /** At rank 0: see {@link Assembly#expel}. Of no use elsewhere. */
    void expel(int rank, RobberException why);

    /** At rank 0: see {@link Assembly#absent}. Nobody elsewhere. */
    List<Integer> absent();

    /** At rank 0: nodes may join this from now on, until all members have come to the end of the call of this number. Of no use elsewhere. */
    void letJoin(long number, Offer offer);

    /** At rank 0: those that join; elsewhere nobody. */
    JoinDesk joinDesk();

    /**
     * Ends it, within a few seconds.
     *
     * @param inPeace whether nothing has failed
     * @return completes when it has ended
     */
    CompletableFuture<Void> leave(boolean inPeace);
}
