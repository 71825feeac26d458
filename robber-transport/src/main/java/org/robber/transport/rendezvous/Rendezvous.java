package org.robber.transport.rendezvous;

import java.util.List;
import java.util.function.IntConsumer;
import org.robber.JobOptions;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.core.protocol.ControlMessage.Announce;
import org.robber.core.wire.ControlCodec;
import org.robber.transport.security.Credentials;
import org.robber.transport.sockets.Sockets;

/** Where the nodes of a job meet: at rank 0, which listens at an address that all others know. */
public final class Rendezvous {
    private Rendezvous() {}

    /**
     * Joins a job: returns once all its nodes are there, with everyone's addresses. Not to be called on a thread of {@code
     * sockets}, which must stay open until the assembly has been closed.
     *
     * @param credentials of this process, by the same options
     * @param dataAddress numeric address at which peers reach this node; empty: the address from which rank 0 sees it come,
     *     and for rank 0 the address at which the others reach it
     * @param dataPort port at which peers reach it
     * @param listening at rank 0: told the port at which it listens, before the others are waited for
     * @throws RobberException if too few nodes come in time, or this node is refused
     */
    public static Assembly join(
            JobOptions options,
            Credentials credentials,
            Sockets sockets,
            String dataAddress,
            int dataPort,
            IntConsumer listening) {
        Announce own = new Announce(
                options.job(),
                options.rank(),
                options.size(),
                options.cluster(),
                ThisProcess.host(),
                ThisProcess.id(),
                dataAddress,
                dataPort,
                options.settings());
        try {
            ControlCodec.encode(own);
        } catch (IllegalArgumentException e) {
            throw new RobberException(
                    Reason.USAGE, List.of(options.rank()), Failures.CONNECT, "cannot be said: " + e.getMessage(), e);
        }
        return options.rank() == 0
                ? new RankZero(options, credentials, sockets, own).join(listening)
                : new Connecting(options, credentials, sockets, own).join();
    }
}
