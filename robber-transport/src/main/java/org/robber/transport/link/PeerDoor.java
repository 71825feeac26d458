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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.robber.JobOptions;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.core.protocol.ControlMessage.DataHello;
import org.robber.core.protocol.ControlMessage.Member;
import org.robber.core.protocol.ControlMessage.Roster;
import org.robber.transport.security.Credentials;
import org.robber.transport.security.GreetingFailed;
import org.robber.transport.security.Strangers;
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

    private final Sockets sockets;
    private final JobOptions options;
    private final Credentials credentials;
    private final Strangers strangers;
    private final Channel listening;
    private final CompletableFuture<Identity> identity = new CompletableFuture<>();
    private final Map<Integer, BiConsumer<Integer, Channel>> expected = new HashMap<>();
    private final Map<Integer, Map<Integer, Channel>> early = new HashMap<>();
    private final Set<Integer> welcome = ConcurrentHashMap.newKeySet();
    private int lastExpected = -1;

    /** Who this node is, once the roster is known. */
    private record Identity(int rank, int size, long seed) {}

    private PeerDoor(Sockets sockets, JobOptions options, Credentials credentials, InetAddress address) {
        this.sockets = sockets;
        this.options = options;
        this.credentials = credentials;
        this.strangers = new Strangers("the data port of rank " + options.rank(), options.size());
        ServerBootstrap door = sockets.serverBootstrap().childHandler(new ChannelInitializer<SocketChannel>() {
            @Override
            protected void initChannel(SocketChannel channel) {
                admit(channel);
            }
        });
        this.listening = elsewhere(options.port(), () -> listen(door.bind(address, 0)));
    }

    private Channel listen(ChannelFuture binding) {
        ChannelFuture bound = binding.awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new RobberException(
                    Reason.NETWORK,
                    List.of(options.rank()),
                    "connect",
                    "rank " + options.rank() + " cannot listen for its peers: " + bound.cause(),
                    bound.cause());
        }
        return bound.channel();
    }

    /**
     * Listens at a free port, but not at that of the job, which may be free as yet: rank 0, which may be on this machine, could not
     * listen there any more.
     *
     * @param listen listens at a port that is free
     */
    static Channel elsewhere(int portOfJob, Supplier<Channel> listen) {
        Channel first = listen.get();
        if (portOf(first) != portOfJob) {
            return first;
        }
        try {
            // While the first is open, this can't be the same.
            return listen.get();
        } finally {
            first.close().awaitUninterruptibly();
        }
    }

    private static int portOf(Channel listening) {
        return ((InetSocketAddress) listening.localAddress()).getPort();
    }

    /**
     * Listens for peers on a free port: on loopback only where rank 0 does, for then everyone is on this machine; else on
     * all addresses.
     */
    public static PeerDoor open(Sockets sockets, JobOptions options, Credentials credentials) {
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
        return new PeerDoor(sockets, options, credentials, address);
    }

    /** Whether connections are encrypted. */
    public boolean encrypts() {
        return credentials.encrypt();
    }

    /** The port at which peers reach this node. */
    public int port() {
        return portOf(listening);
    }

    /** Says who this node is; connections that came before are answered now. */
    public void open(int rank, Roster roster) {
        identity.complete(new Identity(rank, roster.members().size(), roster.seed()));
    }

    /** A node of this rank has joined the job, and may connect. */
    public void welcome(int rank) {
        welcome.add(rank);
    }

    private void admit(SocketChannel channel) {
        Strangers.Visit visit = strangers.admit(channel);
        channel.closeFuture().addListener(closed -> visit.end());
        PlacedReceive.install(channel);
        channel.pipeline()
                .addLast(credentials.listening())
                .addLast(new DataHelloHandler(
                        (hello, answer) -> {
                            visit.end();
                            identity.thenAcceptAsync(self -> met(channel, hello, self, answer), channel.eventLoop());
                        },
                        failure -> {
                            if (failure.kind() != GreetingFailed.Kind.LEFT) {
                                visit.refuse(failure.reason());
                            }
                        }));
    }

    private void met(SocketChannel channel, DataHello hello, Identity self, Consumer<DataHello> answer) {
        String problem = problemWith(hello, self);
        if (problem != null) {
            LOG.warn("refused {} at the data port: {}", channel.remoteAddress(), problem);
            channel.close();
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
            // Perhaps it has joined, and rank 0's word has not come yet: then it comes again.
            return "it says it is rank " + hello.rank() + ", of which rank 0 has not told";
        }
        if (hello.rank() < 0 || hello.rank() == self.rank()) {
            return "it says it is rank " + hello.rank();
        }
        return null;
    }

    private void arrived(int channelNumber, int rank, Channel channel) {
        BiConsumer<Integer, Channel> taker;
        synchronized (this) {
            taker = expected.get(channelNumber);
            if (taker == null && channelNumber <= lastExpected) {
                LOG.warn("refused a connection from rank {} for channel {}, which is closed", rank, channelNumber);
                channel.close();
                return;
            }
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

    /**
     * Where connections from peers for this channel go, those that are there already at once.
     *
     * @param channelNumber larger than those before
     */
    public void expect(int channelNumber, BiConsumer<Integer, Channel> taker) {
        Map<Integer, Channel> waiting;
        synchronized (this) {
            expected.put(channelNumber, taker);
            lastExpected = channelNumber;
            waiting = early.remove(channelNumber);
        }
        if (waiting != null) {
            waiting.forEach(taker);
        }
    }

    /** The channel is closed: nobody has to connect for it any more. */
    public synchronized void forget(int channelNumber) {
        expected.remove(channelNumber);
    }

    /**
     * Connects to a peer; completes when both sides have said who they are. A completion from outside, such as a
     * cancellation, ends the attempts.
     */
    public CompletableFuture<Channel> connect(int channelNumber, int rank, Member member) {
        CompletableFuture<Channel> connected = new CompletableFuture<>();
        String address = member.dataAddress().isEmpty() ? options.host() : member.dataAddress();
        identity.thenAccept(self -> new PeerCall(
                        sockets,
                        credentials,
                        address,
                        member.dataPort(),
                        new DataHello(options.job(), self.seed(), channelNumber, self.rank()),
                        rank,
                        connected)
                .attempt());
        return connected;
    }

    /** Stops listening; connections that were handed out stay. */
    @Override
    public void close() {
        listening.close();
        strangers.sendAway();
        synchronized (this) {
            early.values().forEach(channels -> channels.values().forEach(Channel::close));
            early.clear();
        }
    }
}
