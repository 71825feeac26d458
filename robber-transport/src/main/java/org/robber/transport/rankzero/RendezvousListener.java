package org.robber.transport.rankzero;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntConsumer;
import org.robber.JobOptions;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.transport.control.ControlFailures;
import org.robber.transport.control.ControlMessage.Announce;
import org.robber.transport.rendezvous.ControlPlane;
import org.robber.transport.rendezvous.Rendezvous;
import org.robber.transport.security.Credentials;
import org.robber.transport.sockets.Hosts;
import org.robber.transport.sockets.RoundTripTimer;
import org.robber.transport.sockets.Sockets;

/** Listens for the nodes of a job, at rank 0, and waits until all are there. */
public final class RendezvousListener {
    private static final long GRACE_SECONDS = 10;
    /** All nodes may come at the same moment. */
    private static final int LEAST_BACKLOG = 1024;

    private static final int BIND_TRIES = 5;
    private static final long BIND_PAUSE_MILLIS = 50;

    private final JobOptions options;
    private final Sockets sockets;
    private final EventLoop loop;
    private final RendezvousServer server;

    private RendezvousListener(JobOptions options, Credentials credentials, Sockets sockets, Announce own) {
        this.options = options;
        this.sockets = sockets;
        this.loop = sockets.group().next();
        this.server = new RendezvousServer(
                options, credentials, target -> RoundTripTimer.measure(sockets, target), own, loop);
    }

    /**
     * Begins a job as its rank 0: returns once all its nodes are there. Parameters and errors are those of {@link Rendezvous#join}.
     *
     * @param listening told the port at which rank 0 listens, before the others are waited for
     */
    public static ControlPlane join(
            JobOptions options,
            Credentials credentials,
            Sockets sockets,
            List<String> dataAddresses,
            int dataPort,
            IntConsumer listening) {
        Announce own = Rendezvous.announcement(options, dataAddresses, dataPort);
        return new RendezvousListener(options, credentials, sockets, own).join(listening);
    }

    private ControlPlane join(IntConsumer listening) {
        Channel acceptor = listen();
        try {
            listening.accept(((InetSocketAddress) acceptor.localAddress()).getPort());
        } catch (RuntimeException e) {
            acceptor.close().awaitUninterruptibly(GRACE_SECONDS, TimeUnit.SECONDS);
            throw e;
        }
        loop.execute(() -> server.open(acceptor));
        try {
            return server.everyone().get(options.connectTimeout().toSeconds() + GRACE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            RobberException stopped = ControlFailures.connecting(
                    Reason.INTERRUPTED, List.of(0), "rank 0 was interrupted while it waited for the others");
            loop.execute(() -> server.fail(stopped));
            throw stopped;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RobberException failure ? failure : new IllegalStateException(e);
        } catch (TimeoutException e) {
            throw new IllegalStateException("the event loop of the control connections does not work", e);
        }
    }

    private Channel listen() {
        String where = Hosts.withPort(options.host(), options.port());
        try {
            InetAddress address =
                    LocalAddresses.ofThisMachine().toListenAt(options.host(), Hosts.listeningAt(options.host()));
            ServerBootstrap bootstrap = sockets.serverBootstrap()
                    .option(ChannelOption.SO_BACKLOG, Math.max(LEAST_BACKLOG, options.size()))
                    .childHandler(new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel channel) {
                            server.admit(channel);
                        }
                    });
            ChannelFuture bound = bootstrap.bind(address, options.port()).awaitUninterruptibly();
            for (int tries = 1; bound.cause() instanceof IOException && tries < BIND_TRIES; tries++) {
                // Another node of this machine may use the port for a moment, as its own or as the source of a
                // connection.
                Thread.sleep(BIND_PAUSE_MILLIS);
                bound = bootstrap.bind(address, options.port()).awaitUninterruptibly();
            }
            if (!bound.isSuccess()) {
                throw ControlFailures.connecting(
                        Reason.NETWORK,
                        List.of(0),
                        "rank 0 cannot listen at " + where + ": "
                                + bound.cause().getMessage()
                                + "; end the program that has the port, or set ROBBER_URI=robber://JOB@HOST:PORT to another");
            }
            return bound.channel();
        } catch (UnknownHostException e) {
            throw ControlFailures.connecting(
                    Reason.NETWORK,
                    List.of(0),
                    "rank 0 cannot listen at " + where
                            + ": no such host here; set ROBBER_URI=robber://JOB@HOST:PORT to where it can listen");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ControlFailures.connecting(
                    Reason.INTERRUPTED, List.of(0), "rank 0 was interrupted before it could listen at " + where);
        }
    }
}
