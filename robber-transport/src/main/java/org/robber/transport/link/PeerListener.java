package org.robber.transport.link;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.socket.SocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.robber.DataAddress;
import org.robber.JobOptions;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.transport.control.ControlMessage.DataHello;
import org.robber.transport.control.ControlMessage.Roster;
import org.robber.transport.security.Credentials;
import org.robber.transport.security.GreetingFailed;
import org.robber.transport.security.UnauthenticatedConnections;
import org.robber.transport.sockets.CongestionControl;
import org.robber.transport.sockets.DataAddresses;
import org.robber.transport.sockets.Hosts;
import org.robber.transport.sockets.Sockets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts connections from peers. Both sides prove the shared secret, then say which node of which job they are and which channel the
 * connection is for. Connections that fail this are closed, and the job goes on. Thread-safe.
 */
public final class PeerListener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PeerListener.class);

    private final JobOptions options;
    private final Credentials credentials;
    private final UnauthenticatedConnections unauthenticated;
    private final String address;
    private final Channel listening;
    private final CompletableFuture<Identity> identity = new CompletableFuture<>();
    private final Map<Long, BiConsumer<Integer, Channel>> expected = new HashMap<>();
    private final EarlyConnections early = new EarlyConnections();
    private final Set<Integer> welcome = ConcurrentHashMap.newKeySet();
    /** Numbers of channels that are closed; a job opens few. */
    private final Set<Long> forgotten = new HashSet<>();

    private boolean closed;

    /** This node, once the roster is known. */
    private record Identity(int rank, int size, long seed) {}

    private PeerListener(Sockets sockets, JobOptions options, Credentials credentials, DataAddresses addresses) {
        this.address = addresses.told();
        this.options = options;
        this.credentials = credentials;
        this.unauthenticated =
                new UnauthenticatedConnections("the data port of rank " + options.rank(), options.size());
        ServerBootstrap server = new CongestionControl(options.congestion())
                .with(sockets.serverBootstrap())
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        accept(channel);
                    }
                });
        DataAddress wanted = options.dataAddress();
        this.listening = wanted.firstPort() == 0
                ? bindElsewhere(options.port(), () -> bound(server.bind(addresses.listening(), 0), ""))
                : bindOneOf(wanted, server, addresses.listening());
    }

    private Channel bindOneOf(DataAddress wanted, ServerBootstrap server, InetAddress at) {
        for (int port = wanted.firstPort(); port < wanted.lastPort(); port++) {
            ChannelFuture bound = server.bind(at, port).awaitUninterruptibly();
            if (port != options.port() && bound.isSuccess()) {
                return bound.channel();
            }
            bound.channel().close().awaitUninterruptibly();
        }
        return bound(
                server.bind(at, wanted.lastPort()),
                ", and no other port of " + wanted.firstPort() + "-" + wanted.lastPort() + " is free");
    }

    private Channel bound(ChannelFuture binding, String remark) {
        ChannelFuture bound = binding.awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new RobberException(
                    Reason.NETWORK,
                    List.of(options.rank()),
                    "connect",
                    "rank " + options.rank() + " cannot listen for its peers: " + bound.cause() + remark,
                    bound.cause());
        }
        return bound.channel();
    }

    /**
     * Listens on a free port other than the port of the job. Rank 0 may run on this machine and bind that port later.
     *
     * @param bind listens on a port that is free
     */
    static Channel bindElsewhere(int portOfJob, Supplier<Channel> bind) {
        Channel first = bind.get();
        if (portOf(first) != portOfJob) {
            return first;
        }
        try {
            // While the first is open, this can't be the same.
            return bind.get();
        } finally {
            first.close().awaitUninterruptibly();
        }
    }

    private static int portOf(Channel listening) {
        return ((InetSocketAddress) listening.localAddress()).getPort();
    }

    /**
     * Listens for peers where the options say, else on a free port. If rank 0 listens on loopback, this node does too, since all nodes are on this machine; else it
     * listens on all addresses.
     */
    public static PeerListener open(Sockets sockets, JobOptions options, Credentials credentials) {
        String network = options.dataAddress().network();
        if (!network.isEmpty()) {
            return new PeerListener(sockets, options, credentials, DataAddresses.find(network));
        }
        InetAddress address = new InetSocketAddress(0).getAddress();
        try {
            InetAddress rankZero = Hosts.listeningAt(options.host());
            if (rankZero.isLoopbackAddress()) {
                address = rankZero;
            }
        } catch (UnknownHostException e) {
            // Joining the job will say so.
            LOG.debug("cannot resolve {}", options.host());
        }
        return new PeerListener(sockets, options, credentials, new DataAddresses(address, ""));
    }

    /** The numeric address at which peers reach this node; empty if they use the one at which rank 0 sees it. */
    public String address() {
        return address;
    }

    /** The port on which peers reach this node. */
    public int port() {
        return portOf(listening);
    }

    /** Says which node this is; connections that came before are answered now. */
    public void identify(int rank, Roster roster) {
        identity.complete(new Identity(rank, roster.members().size(), roster.seed()));
    }

    /** A node of this rank has joined the running job, and may connect. */
    public void welcome(int rank) {
        welcome.add(rank);
    }

    private void accept(SocketChannel channel) {
        UnauthenticatedConnections.Entry entry = unauthenticated.admit(channel);
        channel.closeFuture().addListener(closing -> entry.end());
        PlacedReceive.install(channel);
        channel.pipeline()
                .addLast(credentials.listening())
                .addLast(new DataHelloHandler(
                        (hello, answer) -> {
                            entry.end();
                            identity.thenAcceptAsync(self -> met(channel, hello, self, answer), channel.eventLoop());
                        },
                        failure -> {
                            if (failure.kind() != GreetingFailed.Kind.LEFT) {
                                entry.refuse(failure.reason());
                            }
                        }));
    }

    private void met(SocketChannel channel, DataHello hello, Identity self, Consumer<DataHello> answer) {
        String problem = problemWith(hello, self);
        if (problem != null) {
            refuse(channel, problem);
            return;
        }
        answer.accept(new DataHello(options.job(), self.seed(), hello.channel(), self.rank()));
        arrived(hello.channel(), hello.rank(), channel);
    }

    private @Nullable String problemWith(DataHello hello, Identity self) {
        if (!hello.job().equals(options.job()) || hello.seed() != self.seed()) {
            return "it belongs to another job, or to another run of this one";
        }
        if (hello.rank() >= self.size() && !welcome.contains(hello.rank())) {
            // Rank 0 may have admitted it a moment ago; then it connects again.
            return "it says it is rank " + hello.rank() + ", which rank 0 has not announced";
        }
        if (hello.rank() < 0 || hello.rank() == self.rank()) {
            return "it says it is rank " + hello.rank();
        }
        return null;
    }

    private void arrived(long channelNumber, int rank, Channel channel) {
        BiConsumer<Integer, Channel> taker;
        synchronized (this) {
            taker = expected.get(channelNumber);
            if (taker == null) {
                String problem = closed || forgotten.contains(channelNumber)
                        ? "channel " + channelNumber + " is closed"
                        : early.keep(channelNumber, rank, channel);
                if (problem != null) {
                    refuse(channel, "rank " + rank + ": " + problem);
                }
                return;
            }
        }
        taker.accept(rank, channel);
    }

    private static void refuse(Channel channel, String why) {
        LOG.warn("refused {} at the data port: {}", channel.remoteAddress(), why);
        channel.close();
    }

    /**
     * Passes connections from peers for this channel to the taker, those that came before at once.
     *
     * @param channelNumber of a channel that was not opened before
     */
    public void expect(long channelNumber, BiConsumer<Integer, Channel> taker) {
        Map<Integer, Channel> waiting;
        synchronized (this) {
            expected.put(channelNumber, taker);
            waiting = early.take(channelNumber);
        }
        waiting.forEach(taker);
    }

    /** The channel is closed: connections for it are refused from now on. */
    public synchronized void forget(long channelNumber) {
        expected.remove(channelNumber);
        forgotten.add(channelNumber);
    }

    /** Stops listening and closes the connections that no channel has taken. */
    @Override
    public void close() {
        listening.close();
        unauthenticated.closeAll();
        List<Channel> left;
        synchronized (this) {
            closed = true;
            left = early.takeAll();
        }
        left.forEach(Channel::close);
    }
}
