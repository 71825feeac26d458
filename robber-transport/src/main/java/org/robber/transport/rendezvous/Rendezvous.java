package org.robber.transport.rendezvous;

import com.google.common.collect.ImmutableList;
import io.netty.channel.EventLoop;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.JobOptions;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.transport.control.ControlCodec;
import org.robber.transport.control.ControlFailures;
import org.robber.transport.control.ControlLink;
import org.robber.transport.control.ControlMessage;
import org.robber.transport.control.ControlMessage.Announce;
import org.robber.transport.control.ControlMessage.Join;
import org.robber.transport.control.ControlMessage.Roster;
import org.robber.transport.control.ControlType;
import org.robber.transport.join.JoinerConnection;
import org.robber.transport.security.Credentials;
import org.robber.transport.sockets.Sockets;

/** Joins a job at rank 0, which listens at an address that all other nodes know. */
public final class Rendezvous {
    private Rendezvous() {}

    /**
     * Joins a job as another node than rank 0: returns once all its nodes are there, with everyone's addresses. Not to be called on a thread of {@code
     * sockets}, which must stay open until the control plane has been closed.
     *
     * @param credentials of this process, by the same options
     * @param dataAddresses numeric addresses at which peers reach this node, the best first; an empty one is the address from which rank 0 sees it come,
     *     and for rank 0 the address at which the others reach it
     * @param dataPort port at which peers reach it
     * @throws RobberException if too few nodes come in time, or this node is refused
     */
    public static ControlPlane join(
            JobOptions options, Credentials credentials, Sockets sockets, List<String> dataAddresses, int dataPort) {
        Announce own = announcement(options, dataAddresses, dataPort);
        return new RendezvousClient<ControlPlane>(
                        options,
                        credentials,
                        sockets,
                        sockets.group().next(),
                        List.of(own.rank()),
                        own,
                        (roster, link, loop) -> enter(own, roster, link, loop))
                .join();
    }

    private static @Nullable ControlPlane enter(Announce own, Roster roster, ControlLink link, EventLoop loop) {
        if (roster.members().size() != own.size()) {
            return null;
        }
        ControlClient controlPlane = new ControlClient(own.rank(), roster, RankZeroConnection.over(link), null, loop);
        link.handTo(controlPlane, ControlType.TO_MEMBER);
        return controlPlane;
    }

    /** The announcement of a node, which rank 0 keeps of itself as well. */
    public static Announce announcement(JobOptions options, List<String> dataAddresses, int dataPort) {
        Announce own = new Announce(
                options.job(),
                options.rank(),
                options.size(),
                options.cluster(),
                hostName(options),
                ProcessHandle.current().pid(),
                ImmutableList.copyOf(dataAddresses),
                dataPort,
                options.settings());
        checkEncodable(own, List.of(options.rank()));
        return own;
    }

    private static String hostName(JobOptions options) {
        return options.hostName().isEmpty() ? HostName.ofThisMachine() : options.hostName();
    }

    private static void checkEncodable(ControlMessage message, List<Integer> rank) {
        try {
            ControlCodec.encode(message);
        } catch (IllegalArgumentException e) {
            throw new RobberException(
                    Reason.USAGE,
                    rank,
                    ControlFailures.CONNECT,
                    "this node cannot announce itself: " + e.getMessage(),
                    e);
        }
    }

    /**
     * Joins a job that runs already. Returns once rank 0 has let this node in, which may be long after it has come: as soon as there is something
     * to join. Not to be called on a thread of {@code sockets}, which must stay open until the connection has been closed.
     *
     * @param options of which name, place, cluster, host name, secret and limits of time count
     * @param dataAddresses as in {@link #join}
     * @param dataPort port at which members reach this node that it cannot reach
     * @throws RobberException if rank 0 can't be reached, or refuses
     */
    public static JoinerConnection joinLate(
            JobOptions options, Credentials credentials, Sockets sockets, List<String> dataAddresses, int dataPort) {
        Join own = new Join(
                options.job(),
                options.cluster(),
                hostName(options),
                ProcessHandle.current().pid(),
                ImmutableList.copyOf(dataAddresses),
                dataPort);
        checkEncodable(own, List.of());
        return new RendezvousClient<JoinerConnection>(
                        options, credentials, sockets, sockets.group().next(), List.of(), own, (roster, link, loop) -> {
                            JoinerConnection connection = new JoinerConnection(roster, link, loop);
                            link.handTo(connection, ControlType.TO_JOINER);
                            return connection;
                        })
                .join();
    }
}
