package org.robber.transport.service;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.robber.transport.security.Credentials;
import org.robber.transport.security.GreetingFailed;
import org.robber.transport.security.UnauthenticatedConnections;
import org.robber.transport.sockets.Liveness;
import org.robber.transport.sockets.LoopLimit;
import org.robber.transport.sockets.Sockets;

/**
 * The port of a daemon. A connection counts as unauthenticated, and takes one of a limited number of places, until the other side has proven the secret and said
 * something: thousands that say nothing, or the wrong things, cost little.
 */
public final class ServicePort implements AutoCloseable {
    private static final long FIRST_BYTES_LIMIT_SECONDS = 10;

    private final Sockets sockets = Sockets.open(1);
    private final ServiceManager manager;
    private final Supplier<Credentials> credentials;
    private final Consumer<ServiceConnection> accepted;
    private final UnauthenticatedConnections unauthenticated;
    private @Nullable Channel listening;

    private ServicePort(
            ServiceManager manager, Supplier<Credentials> credentials, Consumer<ServiceConnection> accepted) {
        this.manager = manager;
        this.credentials = credentials;
        this.accepted = accepted;
        this.unauthenticated = new UnauthenticatedConnections("the port of this daemon", 0);
    }

    /**
     * Listens at the socket that the service manager hands over, or else at this address.
     *
     * @param credentials asked for each new connection
     * @param accepted told of each connection whose other side has proven the secret and sent its first bytes, on an event loop: it must not wait
     * @throws IOException if it cannot listen there
     */
    public static ServicePort open(
            ServiceManager manager,
            InetSocketAddress address,
            Supplier<Credentials> credentials,
            Consumer<ServiceConnection> accepted)
            throws IOException {
        ServicePort port = new ServicePort(manager, credentials, accepted);
        try {
            port.listen(manager.socket(), address);
            return port;
        } catch (IOException | RuntimeException e) {
            port.close();
            throw e;
        }
    }

    private void listen(OptionalInt inherited, InetSocketAddress address) throws IOException {
        ServerBootstrap bootstrap =
                inherited.isPresent() ? sockets.adoptingBootstrap(inherited.getAsInt()) : sockets.serverBootstrap();
        bootstrap.childHandler(new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                greet(channel);
            }
        });
        ChannelFuture bound = inherited.isPresent() ? bootstrap.register() : bootstrap.bind(address);
        if (!bound.awaitUninterruptibly().isSuccess()) {
            throw new IOException(Sockets.trouble(bound.cause()), bound.cause());
        }
        listening = bound.channel();
    }

    private void greet(Channel channel) {
        UnauthenticatedConnections.Entry entry = unauthenticated.admit(channel);
        Liveness.watch(channel, ServiceDialer.SILENCE_LIMIT);
        channel.pipeline()
                .addLast(
                        credentials.get().listening(),
                        new ServiceHandler(new ServiceConnection(channel), new Admission(channel, entry)));
    }

    /** Lets one connection in. */
    private final class Admission implements ServiceHandler.Listener {
        private final Channel channel;
        private final UnauthenticatedConnections.Entry entry;
        private @Nullable LoopLimit limit;

        Admission(Channel channel, UnauthenticatedConnections.Entry entry) {
            this.channel = channel;
            this.entry = entry;
        }

        @Override
        public void greeted(ServiceConnection connection) {
            limit = LoopLimit.start(channel.eventLoop(), FIRST_BYTES_LIMIT_SECONDS, () -> {
                entry.refuse("it said nothing within " + FIRST_BYTES_LIMIT_SECONDS + " s");
                var unused = channel.close();
            });
        }

        @Override
        public void failed(GreetingFailed why) {
            end();
            if (why.kind() != GreetingFailed.Kind.LEFT) {
                entry.refuse(why.reason());
            }
            boolean unused = entry.end();
        }

        @Override
        public void begun(ServiceConnection connection) {
            end();
            if (entry.end()) {
                accepted.accept(connection);
            }
        }

        private void end() {
            if (limit != null) {
                limit.cancel();
            }
        }
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        Channel channel = listening;
        return channel != null && channel.localAddress() instanceof InetSocketAddress internet
                ? internet
                : new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    /** Tells the service manager how this process is. */
    public void tell(String state) {
        manager.tell(sockets, state);
    }

    /** Takes no more connections; those that were accepted go on. */
    public void stopListening() {
        Channel channel = listening;
        if (channel != null) {
            channel.close().awaitUninterruptibly();
        }
        unauthenticated.closeAll();
    }

    /** Closes all connections, too. */
    @Override
    public void close() {
        stopListening();
        sockets.close();
    }
}
