package org.robber.transport.link;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.socket.SocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.robber.JobOptions;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.core.protocol.ControlMessage.DataHello;
import org.robber.core.protocol.ControlMessage.Member;
import org.robber.core.protocol.ControlMessage.Roster;
import org.robber.transport.security.GreetingHandler;
import org.robber.transport.security.Secret;
import org.robber.transport.sockets.Hosts;
import org.robber.transport.sockets.Sockets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where connections between peers begin, in both directions: both sides prove the shared secret, then say which node of
 * which job they are and which channel the connection is for. Whoever can't is sent away, and the job goes on.
 * Thread-safe.
 */
public final class PeerDoor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PeerDoor.class);
    private static final int MAX_RETRIES = 20;
    private static final long RETRY_MILLIS = 250;

    private final Sockets sockets;
    private final JobOptions options;
    private final Channel listening;
    private final CompletableFuture<Identity> identity = new CompletableFuture<>();
    private final Map<Integer, BiConsumer<Integer, Channel>> expected = new HashMap<>();
    private final Map<Integer, Map<Integer, Channel>> early = new HashMap<>();

    /** Who this node is, once the roster is known. */
    private record Identity(int rank, int size, long seed) {}

    private PeerDoor(Sockets sockets, JobOptions options, InetAddress address) {
        this.sockets = sockets;
        this.options = options;
        ChannelFuture bound = sockets.serverBootstrap()
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        admit(channel);
                    }
                })
                .bind(address, 0)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new RobberException(
                    Reason.NETWORK,
                    List.of(options.rank()),
                    "connect",
                    "rank " + options.rank() + " cannot listen for its peers: " + bound.cause(),
                    bound.cause());
        }
        this.listening = bound.channel();
    }

    /**
     * Listens for peers on a free port: on loopback only where rank 0 does, for then everyone is on this machine; else on
     * all addresses.
     */
    public static PeerDoor open(Sockets sockets, JobOptions options) {
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
        return new PeerDoor(sockets, options, address);
    }

    /** The port at which peers reach this node. */
    public int port() {
        return ((InetSocketAddress) listening.localAddress()).getPort();
    }

    /** Says who this node is; connections that came before are answered now. */
    public void open(int rank, Roster roster) {
        identity.complete(new Identity(rank, roster.members().size(), roster.seed()));
    }

    private void admit(SocketChannel channel) {
        PlacedReceive.install(channel);
        channel.pipeline()
                .addLast(GreetingHandler.listening(new Secret(options.secret())))
                .addLast(new DataHelloHandler((hello, answer) -> identity.thenAcceptAsync(
                        self -> {
                            String problem = problemWith(hello, self);
                            if (problem != null) {
                                LOG.warn("refused {} at the data port: {}", channel.remoteAddress(), problem);
                                channel.close();
                                return;
                            }
                            answer.accept(new DataHello(options.job(), self.seed(), hello.channel(), self.rank()));
                            arrived(hello.channel(), hello.rank(), channel);
                        },
                        channel.eventLoop())));
    }

    private @Nullable String problemWith(DataHello hello, Identity self) {
        if (!hello.job().equals(options.job()) || hello.seed() != self.seed()) {
            return "it belongs to another job, or to another run of this one";
        }
        if (hello.rank() < 0 || hello.rank() >= self.size() || hello.rank() == self.rank()) {
            return "it says it is rank " + hello.rank();
        }
        return null;
    }

    private void arrived(int channelNumber, int rank, Channel channel) {
        BiConsumer<Integer, Channel> taker;
        synchronized (this) {
            taker = expected.get(channelNumber);
            if (taker == null) {
                Channel other = early.computeIfAbsent(channelNumber, number -> new HashMap<>())
                        .putIfAbsent(rank, channel);
                if (other != null) {
                    LOG.warn("refused a second connection from rank {}", rank);
                    channel.close();
                }
                return;
            }
        }
        taker.accept(rank, channel);
    }

    /** Where connections from peers for this channel go, those that are there already at once. */
    public void expect(int channelNumber, BiConsumer<Integer, Channel> taker) {
        Map<Integer, Channel> waiting;
        synchronized (this) {
            expected.put(channelNumber, taker);
            waiting = early.remove(channelNumber);
        }
        if (waiting != null) {
            waiting.forEach(taker);
        }
    }

    /** Connects to a peer; completes when both sides have said who they are. */
    public CompletableFuture<Channel> connect(int channelNumber, int rank, Member member) {
        CompletableFuture<Channel> connected = new CompletableFuture<>();
        identity.thenAccept(self -> connect(channelNumber, rank, member, self, connected, 0));
        return connected;
    }

    private void connect(
            int channelNumber,
            int rank,
            Member member,
            Identity self,
            CompletableFuture<Channel> connected,
            int retries) {
        Bootstrap bootstrap = sockets.bootstrap().handler(new ChannelInitializer<SocketChannel>() {
            @Override
            protected void initChannel(SocketChannel channel) {
                PlacedReceive.install(channel);
                DataHelloHandler hello = new DataHelloHandler((theirs, answer) -> {
                    if (theirs.rank() == rank && theirs.seed() == self.seed()) {
                        connected.complete(channel);
                    } else {
                        connected.completeExceptionally(
                                new IllegalStateException("rank " + theirs.rank() + " answers at its address"));
                        channel.close();
                    }
                });
                channel.pipeline()
                        .addLast(GreetingHandler.connecting(new Secret(options.secret())))
                        .addLast(hello.first(new DataHello(options.job(), self.seed(), channelNumber, self.rank())));
                channel.closeFuture()
                        .addListener(closed -> connected.completeExceptionally(
                                new IllegalStateException("the connection ended during the greeting")));
            }
        });
        String address = member.dataAddress().isEmpty() ? options.host() : member.dataAddress();
        bootstrap.connect(address, member.dataPort()).addListener(attempt -> {
            if (attempt.isSuccess() || connected.isDone()) {
                return;
            }
            if (retries == MAX_RETRIES) {
                connected.completeExceptionally(attempt.cause());
            } else {
                sockets.group()
                        .schedule(
                                () -> connect(channelNumber, rank, member, self, connected, retries + 1),
                                RETRY_MILLIS,
                                TimeUnit.MILLISECONDS);
            }
        });
    }

    /** Stops listening; connections that were handed out stay. */
    @Override
    public void close() {
        listening.close();
        synchronized (this) {
            early.values().forEach(channels -> channels.values().forEach(Channel::close));
            early.clear();
        }
    }
}
