package org.robber.transport.reach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.robber.DataAddress;
import org.robber.JobOptions;
import org.robber.RobberException;
import org.robber.transport.BufferLeaks;
import org.robber.transport.control.ControlCodec;
import org.robber.transport.control.ControlMessage;
import org.robber.transport.control.ControlMessage.DataHello;
import org.robber.transport.control.ControlMessage.Member;
import org.robber.transport.control.ControlMessage.Roster;
import org.robber.transport.security.Credentials;
import org.robber.transport.security.GreetingDone;
import org.robber.transport.security.GreetingFailed;
import org.robber.transport.sockets.Sockets;

/** Which connections to the port for peers are accepted, and how peers make them. */
class PeerListenerTest {
    private final BufferLeaks.Watch leaks = BufferLeaks.watch();

    private static final int LIMIT_SECONDS = 30;
    private static final Duration LIMIT = Duration.ofSeconds(LIMIT_SECONDS);
    private static final long SEED = 5;
    private static final byte[] SECRET = {1, 2, 3};

    private final Sockets sockets = Sockets.open(1);
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void nothingLeaks() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        sockets.close();
        leaks.check();
    }

    @Test
    void nobodysOwnPortIsThatOfTheJob() throws Exception {
        List<Channel> ports = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            ports.add(sockets.serverBootstrap()
                    .childHandler(new ChannelInboundHandlerAdapter())
                    .bind(InetAddress.getLoopbackAddress(), 0)
                    .syncUninterruptibly()
                    .channel());
        }
        int portOfJob = ((InetSocketAddress) ports.get(0).localAddress()).getPort();
        Iterator<Channel> free = ports.iterator();

        List<Channel> listening = DataPort.bindElsewhere(portOfJob, () -> List.of(free.next()));

        assertThat(listening).containsExactly(ports.get(1));
        assertThat(ports.get(1).isOpen()).isTrue();
        // Where rank 0 can listen now.
        assertThat(ports.get(0).isOpen()).isFalse();
    }

    /** It listens there for all others, though not yet. */
    @Test
    void rankZeroDoesNotTakeThePortOfTheJobForPeers() throws Exception {
        JobOptions options = JobOptions.of("test", "localhost", 7000, 0, 2)
                .withDataAddress(new DataAddress("127.0.0.1", 7000, 7000));

        assertThatThrownBy(() -> PeerListener.open(sockets, options, Credentials.of(options)))
                .isInstanceOf(RobberException.class)
                .hasMessage("rank 0 cannot listen for its peers: --data-ports must have a port beside that of the job");
    }

    @Test
    void peersGetInHoweverManyUnauthenticatedConnectionsWait() throws Exception {
        PeerListener zero = listener(0, SECRET);
        PeerDialer one = dialer(1, SECRET);
        CompletableFuture<Integer> came = new CompletableFuture<>();
        zero.expect(0, (rank, channel) -> came.complete(rank));
        List<Socket> silent = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            silent.add(socket(zero.port()));
        }

        Channel channel = get(one.dial(0, 0, member(zero.port()), LIMIT));
        assertThat(get(came)).isEqualTo(1);
        assertThat(channel.isActive()).isTrue();
        // The first of those that only wait has lost its place to the others.
        assertThat(silent.get(0).getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void aPeerThatLostItsPlaceComesAgain() throws Exception {
        PeerDialer one = dialer(1, SECRET);
        try (ServerSocket besieged = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            besieged.setSoTimeout(LIMIT_SECONDS * 1000);
            CompletableFuture<Channel> call = one.dial(0, 0, member(besieged.getLocalPort()), LIMIT);
            for (int i = 0; i < 3; i++) {
                besieged.accept().close();
            }

            assertThat(call).isNotDone();
            call.cancel(false);
        }
    }

    /** The node that listens has not opened the channel yet, and the first connection breaks meanwhile. */
    @Test
    void anEarlyConnectionThatBreaksLeavesItsPlaceToTheNext() throws Exception {
        PeerListener zero = listener(0, SECRET);
        PeerDialer one = dialer(1, SECRET);
        Channel first = get(one.dial(0, 0, member(zero.port()), LIMIT));
        assertThat(first.close().await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        Channel second = get(one.dial(0, 0, member(zero.port()), LIMIT));
        CompletableFuture<Channel> came = new CompletableFuture<>();
        zero.expect(0, (rank, channel) -> came.complete(channel));

        assertThat(get(came).remoteAddress()).isEqualTo(second.localAddress());
        assertThat(get(came).isActive()).isTrue();
        assertThat(second.isActive()).isTrue();
    }

    @Test
    void ofTwoEarlyConnectionsOfOnePeerTheNewerStays() {
        ExpectedConnections expected = new ExpectedConnections();
        EmbeddedChannel older = new EmbeddedChannel();
        EmbeddedChannel newer = new EmbeddedChannel();
        assertThat(expected.arrived(0, 1, older)).isNull();
        assertThat(expected.arrived(0, 1, newer)).isNull();

        assertThat(older.isOpen()).isFalse();
        Map<Integer, Channel> taken = new HashMap<>();
        expected.expect(0, taken::put);
        assertThat(taken).containsExactly(Map.entry(1, newer));
        newer.close();
    }

    @Test
    void onePeerHoldsNoMoreThanAFewEarlyConnections() {
        ExpectedConnections expected = new ExpectedConnections();
        List<EmbeddedChannel> kept = new ArrayList<>();
        for (int channel = 0; channel < ExpectedConnections.MAX_EARLY_PER_RANK; channel++) {
            kept.add(new EmbeddedChannel());
            assertThat(expected.arrived(channel, 1, kept.get(channel))).isNull();
        }
        EmbeddedChannel another = new EmbeddedChannel();
        assertThat(expected.arrived(1000, 1, another)).contains("16 channels");
        assertThat(expected.arrived(1000, 2, another)).isNull();
        kept.get(0).close();
        assertThat(expected.arrived(1000, 1, new EmbeddedChannel())).isNull();

        expected.close();
    }

    @Test
    void aNodeThatDoesNotAnswerIsGivenUpAtTheLimit() throws Exception {
        PeerDialer one = dialer(1, SECRET);
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> get(one.dial(0, 0, member(silent.getLocalPort()), Duration.ofMillis(300))))
                    .hasMessageContaining("no connection to 127.0.0.1:" + silent.getLocalPort() + " after 0.3 s");
        }
    }

    @Test
    void aNodeThatRefusesIsTriedAgainUntilTheLimit() throws Exception {
        PeerDialer one = dialer(1, SECRET);
        int port;
        try (ServerSocket unused = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = unused.getLocalPort();
        }
        CompletableFuture<Channel> call = one.dial(0, 0, member(port), Duration.ofMillis(400));

        assertThatThrownBy(() -> get(call)).hasMessageContaining("after 0.4 s").hasMessageContaining("refused");
    }

    @Test
    void pausesGrowToALimitAndDifferFromNodeToNode() {
        RetryPause pause = new RetryPause(new SplittableRandom(1));
        RetryPause other = new RetryPause(new SplittableRandom(2));
        List<Long> pauses = new ArrayList<>();
        List<Long> others = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            pauses.add(pause.nextMillis());
            others.add(other.nextMillis());
            long whole = Math.min(RetryPause.LONGEST_MILLIS, RetryPause.FIRST_MILLIS << i);
            assertThat(pauses.get(i)).isBetween(whole / 2, whole);
        }
        assertThat(pauses).isNotEqualTo(others);
    }

    @Test
    void aPeerWithAnotherSecretIsNotAskedAgain() throws Exception {
        PeerListener zero = listener(0, SECRET);
        PeerDialer one = dialer(1, new byte[] {9});

        assertThatThrownBy(() -> get(one.dial(0, 0, member(zero.port()), LIMIT)))
                .hasMessageContaining("could not prove the shared secret");
    }

    @Test
    void nobodyWaitsForAPeerThatAnswersInAnothersPlace() throws Exception {
        PeerListener zero = listener(0, SECRET);
        PeerDialer two = dialer(2, SECRET);

        assertThatThrownBy(() -> get(two.dial(0, 1, member(zero.port()), LIMIT)))
                .hasMessageContaining("rank 0 answers at its address");
    }

    @Test
    void connectionsForAClosedChannelAreClosed() throws Exception {
        PeerListener zero = listener(0, SECRET);
        PeerDialer one = dialer(1, SECRET);
        zero.expect(3, (rank, channel) -> {
            throw new AssertionError("nobody may come for channel 3");
        });
        zero.forget(3);

        Channel late = get(one.dial(3, 0, member(zero.port()), LIMIT));
        assertThat(late.config().setAutoRead(true).isAutoRead()).isTrue();
        assertThat(late.closeFuture().await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void whoProvesTheSecretAndThenSaysNothingIsSentAway() {
        List<GreetingFailed> failures = new ArrayList<>();
        EmbeddedChannel channel = new EmbeddedChannel(new FirstFrameHandler(hello -> {}, failures::add));
        channel.freezeTime();
        channel.pipeline().fireUserEventTriggered(GreetingDone.DONE);
        passTime(channel, 9);
        assertThat(channel.isOpen()).isTrue();
        passTime(channel, 2);

        assertThat(channel.isOpen()).isFalse();
        assertThat(failures).extracting(GreetingFailed::reason).containsExactly("no hello within 10 s");
        channel.finishAndReleaseAll();
    }

    @Test
    void whoSaysHelloMayStay() {
        List<ControlMessage> hellos = new ArrayList<>();
        EmbeddedChannel channel = new EmbeddedChannel(new FirstFrameHandler(hellos::add, failure -> {
            throw new AssertionError(failure.toString());
        }));
        channel.freezeTime();
        channel.pipeline().fireUserEventTriggered(GreetingDone.DONE);
        DataHello hello = new DataHello("test", 5, 0, 1, 0);
        channel.writeInbound(Unpooled.wrappedBuffer(ControlCodec.encode(hello)));
        passTime(channel, 60);

        assertThat(hellos).containsExactly(hello);
        assertThat(channel.isOpen()).isTrue();
        channel.finishAndReleaseAll();
    }

    @Test
    void whatIsNoHelloIsRefused() {
        byte[] oversized = {0, 0, 0x7f, 0, 64};
        byte[] unknown = {0, 0, 0, 1, 99};
        byte[] empty = {0, 0, 0, 0, 0, 0, 0, 0};
        ControlMessage other = new ControlMessage.Alive();
        for (byte[] bytes : List.of(oversized, unknown, empty, twice(ControlCodec.encode(other)))) {
            List<GreetingFailed> failures = new ArrayList<>();
            EmbeddedChannel channel = new EmbeddedChannel(new FirstFrameHandler(hello -> {}, failures::add));
            channel.pipeline().fireUserEventTriggered(GreetingDone.DONE);
            channel.writeInbound(Unpooled.wrappedBuffer(bytes));

            assertThat(channel.isOpen()).isFalse();
            assertThat(failures).hasSize(1);
            channel.finishAndReleaseAll();
        }
    }

    @Test
    void aRangeOfPortsIsKept() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int first = other.getLocalPort();
            JobOptions wider = options(1, new byte[0]).withDataAddress(new DataAddress("127.0.0.1", first, 0xFFFF));
            PeerListener listener = PeerListener.open(sockets, wider, Credentials.of(wider));
            open.add(listener);
            assertThat(listener.port()).isGreaterThan(first);
            assertThat(listener.addresses()).containsExactly("127.0.0.1");

            JobOptions taken = options(1, new byte[0]).withDataAddress(new DataAddress("127.0.0.1", first, first));
            assertThatThrownBy(() -> PeerListener.open(sockets, taken, Credentials.of(taken)))
                    .isInstanceOf(RobberException.class)
                    .hasMessageContaining("cannot listen for its peers: Address already in use, and no other port of "
                            + first + "-" + first + " is free");
        }
    }

    private static byte[] twice(ByteBuffer frame) {
        byte[] bytes = new byte[2 * frame.remaining()];
        frame.get(bytes, 0, bytes.length / 2);
        System.arraycopy(bytes, 0, bytes, bytes.length / 2, bytes.length / 2);
        return bytes;
    }

    private static void passTime(EmbeddedChannel channel, long seconds) {
        channel.advanceTimeBy(seconds, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
    }

    private PeerListener listener(int rank, byte[] secret) {
        JobOptions options = options(rank, secret);
        PeerListener listener = PeerListener.open(sockets, options, Credentials.of(options));
        open.add(listener);
        listener.identify(rank, new Roster(SEED, ImmutableList.of(member(1), member(2), member(3))));
        return listener;
    }

    private PeerDialer dialer(int rank, byte[] secret) {
        JobOptions options = options(rank, secret);
        return new PeerDialer(sockets, options, Credentials.of(options), rank, SEED);
    }

    private static JobOptions options(int rank, byte[] secret) {
        return JobOptions.of("test", "127.0.0.1", 0, rank, 3).withSecret(secret);
    }

    private Socket socket(int port) throws Exception {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(LIMIT_SECONDS * 1000);
        open.add(socket);
        return socket;
    }

    private static Member member(int port) {
        return new Member("A", "here", 1, "127.0.0.1", port);
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }
}
