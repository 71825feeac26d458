package org.robber.transport.reach;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.socket.SocketChannel;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.robber.JobOptions;
import org.robber.transport.control.ControlMessage;
import org.robber.transport.control.ControlMessage.BackHello;
import org.robber.transport.control.ControlMessage.DataHello;
import org.robber.transport.control.ControlMessage.Relay;
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
    private final List<String> addresses;
    private final DataPort port;
    private final CompletableFuture<Identity> identity = new CompletableFuture<>();
    private final ExpectedConnections expected = new ExpectedConnections();
    private final Set<Integer> welcome = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Detours detours;
    private volatile @Nullable RelayService relays;

    /** This node, once the roster is known. */
    private record Identity(int rank, int size, long seed) {}

    private PeerListener(Sockets sockets, JobOptions options, Credentials credentials, DataAddresses addresses) {
        this.addresses = addresses.told();
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
        this.port = DataPort.open(server, addresses.listening(), options);
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
        try {
            InetAddress rankZero = Hosts.listeningAt(options.host()).get(0);
            if (rankZero.isLoopbackAddress()) {
                return new PeerListener(sockets, options, credentials, DataAddresses.loopback(rankZero));
            }
        } catch (UnknownHostException e) {
            // Joining the job will say so.
            LOG.debug("cannot resolve {}", options.host());
        }
        return new PeerListener(sockets, options, credentials, DataAddresses.all());
    }

    /** The numeric addresses at which peers reach this node, the best first; an empty one is that at which rank 0 sees it. */
    public List<String> addresses() {
        return addresses;
    }

    /** The port on which peers reach this node. */
    public int port() {
        return port.port();
    }

    /** Says which node this is; connections that came before are answered now. */
    public void identify(int rank, Roster roster) {
        identity.complete(new Identity(rank, roster.members().size(), roster.seed()));
    }

    /** A node of this rank has joined the running job, and may connect. */
    public void welcome(int rank) {
        welcome.add(rank);
    }

    /** Passes on the connections that others make because this node has asked them to. */
    void take(Detours those) {
        detours = those;
    }

    /** Passes on the requests of nodes that cannot reach others. */
    void take(RelayService service) {
        relays = service;
    }

    private void accept(SocketChannel channel) {
        UnauthenticatedConnections.Entry entry = unauthenticated.admit(channel);
        channel.closeFuture().addListener(closing -> entry.end());
        PlacedReceive.install(channel);
        channel.pipeline()
                .addLast(credentials.listening())
                .addLast(new FirstFrameHandler(
                        first -> {
                            entry.end();
                            opened(channel, first, /* relayed= */ false);
                        },
                        failure -> {
                            if (failure.kind() != GreetingFailed.Kind.LEFT) {
                                entry.refuse(failure.reason());
                            }
                        }));
    }

    /**
     * The first frame of the other side is here, on a connection that was greeted.
     *
     * @param relayed whether it came through a relay
     */
    void opened(Channel channel, ControlMessage first, boolean relayed) {
        identity.thenAcceptAsync(self -> opened(channel, first, relayed, self), channel.eventLoop());
    }

    private void opened(Channel channel, ControlMessage first, boolean relayed, Identity self) {
        if (first instanceof DataHello hello) {
            met(channel, hello, relayed, self);
        } else if (first instanceof BackHello back) {
            cameBack(channel, back, self);
        } else if (first instanceof Relay relay) {
            asked(channel, relay, self);
        } else {
            refuse(channel, "its first frame is " + first);
        }
    }

    private void met(Channel channel, DataHello hello, boolean relayed, Identity self) {
        String problem = problemWith(hello.job(), hello.seed(), hello.rank(), self);
        if (problem == null) {
            FirstFrameHandler.say(
                    channel, new DataHello(options.job(), self.seed(), hello.channel(), self.rank(), hello.rank()));
            problem = hello.to() == self.rank() ? null : "it looks for rank " + hello.to() + " here";
        }
        if (problem != null) {
            refuse(channel, problem);
            return;
        }
        Detours known = detours;
        if (known != null && !relayed) {
            known.routes().wasReachedBy(hello.rank());
        }
        String refusal = expected.arrived(hello.channel(), hello.rank(), channel);
        if (refusal != null) {
            refuse(channel, "rank " + hello.rank() + ": " + refusal);
        }
    }

    private void cameBack(Channel channel, BackHello back, Identity self) {
        String problem = problemWith(back.job(), back.seed(), back.rank(), self);
        Detours known = detours;
        if (problem != null) {
            refuse(channel, problem);
        } else if (known == null || !known.came(back.token(), channel)) {
            LOG.debug("rank {} connects back, and is not needed any more", back.rank());
            channel.close();
        }
    }

    private void asked(Channel channel, Relay relay, Identity self) {
        String problem = problemWith(relay.job(), relay.seed(), relay.from(), self);
        RelayService service = relays;
        if (problem != null) {
            refuse(channel, problem);
        } else if (relay.to() == self.rank()) {
            // From here on the bytes are those of the other node.
            FirstFrameHandler.say(channel, relay);
            HandOver.to(
                    channel,
                    credentials.listening(),
                    new FirstFrameHandler(
                            first -> opened(channel, first, /* relayed= */ true),
                            failure -> LOG.debug("no greeting through a relay: {}", failure.reason())));
        } else if (service == null) {
            refuse(channel, "it asks for a relay, which this node is not");
        } else {
            service.carry(channel, relay);
        }
    }

    private @Nullable String problemWith(String job, long seed, int rank, Identity self) {
        if (!job.equals(options.job()) || seed != self.seed()) {
            return "it belongs to another job, or to another run of this one";
        }
        if (rank >= self.size() && !welcome.contains(rank)) {
            // Rank 0 may have admitted it a moment ago; then it connects again.
            return "it says it is rank " + rank + ", which rank 0 has not announced";
        }
        if (rank < 0 || rank == self.rank()) {
            return "it says it is rank " + rank;
        }
        return null;
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
        expected.expect(channelNumber, taker);
    }

    /** The channel is closed: connections for it are refused from now on. */
    public void forget(long channelNumber) {
        expected.forget(channelNumber);
    }

    /** Stops listening and closes the connections that no channel has taken. */
    @Override
    public void close() {
        port.close();
        unauthenticated.closeAll();
        expected.close();
    }
}
