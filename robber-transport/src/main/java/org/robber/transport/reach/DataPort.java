package org.robber.transport.reach;

import com.google.common.annotations.VisibleForTesting;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.robber.DataAddress;
import org.robber.JobOptions;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.transport.sockets.Sockets;

/**
 * The port at which a node listens for its peers.
 *
 * @param channels one for each address; all have the same port
 */
record DataPort(List<Channel> channels) {
    /** A port that is free at one address may be taken at another. */
    private static final int TRIES = 10;

    /**
     * Listens at all these addresses, at a port that the options allow.
     *
     * @throws RobberException with {@code NETWORK} if there is none
     */
    static DataPort open(ServerBootstrap server, List<InetAddress> addresses, JobOptions options) {
        DataAddress wanted = options.dataAddress();
        String remark = "";
        // Thrown if the range has only the port of the job.
        IOException last = new IOException("--data-ports must have a port beside that of the job");
        if (wanted.firstPort() == 0) {
            for (int tries = 0; tries < TRIES; tries++) {
                try {
                    return new DataPort(bindElsewhere(options.port(), () -> bind(server, addresses, 0)));
                } catch (IOException e) {
                    last = e;
                }
            }
        } else {
            for (int port = wanted.firstPort(); port <= wanted.lastPort(); port++) {
                // Rank 0 needs that port itself. Others take it last, because rank 0 may be on their machine.
                if (port == options.port() && (options.rank() == 0 || port != wanted.lastPort())) {
                    continue;
                }
                try {
                    return new DataPort(bind(server, addresses, port));
                } catch (IOException e) {
                    last = e;
                    remark = ", and no other port of " + wanted.firstPort() + "-" + wanted.lastPort() + " is free";
                }
            }
        }
        throw new RobberException(
                Reason.NETWORK,
                List.of(options.rank()),
                "connect",
                "rank " + options.rank() + " cannot listen for its peers: " + last.getMessage() + remark,
                last);
    }

    private static List<Channel> bind(ServerBootstrap server, List<InetAddress> addresses, int port)
            throws IOException {
        List<Channel> bound = new ArrayList<>();
        for (InetAddress address : addresses) {
            int here = bound.isEmpty() ? port : portOf(bound);
            ChannelFuture binding = server.bind(address, here).awaitUninterruptibly();
            bound.add(binding.channel());
            if (!binding.isSuccess()) {
                close(bound);
                throw new IOException(Sockets.trouble(binding.cause()), binding.cause());
            }
        }
        return bound;
    }

    /** Listens at a free port. */
    @VisibleForTesting
    interface Binding {
        List<Channel> bind() throws IOException;
    }

    /** Listens on a free port other than the port of the job. Rank 0 may run on this machine and bind that port later. */
    @VisibleForTesting
    static List<Channel> bindElsewhere(int portOfJob, Binding binding) throws IOException {
        List<Channel> first = binding.bind();
        if (portOf(first) != portOfJob) {
            return first;
        }
        try {
            // While the first is open, this can't be the same.
            return binding.bind();
        } finally {
            close(first);
        }
    }

    private static int portOf(List<Channel> listening) {
        return ((InetSocketAddress) listening.get(0).localAddress()).getPort();
    }

    private static void close(List<Channel> listening) {
        listening.forEach(channel -> channel.close().awaitUninterruptibly());
    }

    int port() {
        return portOf(channels);
    }

    /** Stops listening, soon. */
    void close() {
        channels.forEach(Channel::close);
    }
}
