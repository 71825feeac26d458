package org.robber.transport.rendezvous;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.robber.RobberException;
import org.robber.transport.control.ControlMessage;
import org.robber.transport.join.JoinableMulticast;
import org.robber.transport.join.JoinerControl;

/** The connection of a node to rank 0. Rank 0 has one to itself. To be used on the control plane's event loop only. */
interface RankZeroConnection {

    void send(ControlMessage message);

    /** How rank 0 answers this call; of no use elsewhere. To be said before this node arrives. */
    void reply(long number, Function<List<byte[]>, byte[]> reply);

    /** At rank 0: see {@link ControlPlane#goOnWithoutLost}. Of no use elsewhere. */
    void goOnWithoutLost();

    /** At rank 0: see {@link ControlPlane#expel}. Of no use elsewhere. */
    void expel(int rank, RobberException why);

    /** At rank 0: see {@link ControlPlane#absent}. Nobody elsewhere. */
    List<Integer> absent();

    /** At rank 0: nodes may join this from now on, until all members have come to the end of the call of this number. Of no use elsewhere. */
    void letJoin(long number, JoinableMulticast offer);

    /** At rank 0: those that join; elsewhere nobody. */
    JoinerControl joiners();

    /**
     * Ends it, within a few seconds.
     *
     * @param inPeace whether nothing has failed
     * @return completes when it has ended
     */
    CompletableFuture<Void> leave(boolean inPeace);
}
