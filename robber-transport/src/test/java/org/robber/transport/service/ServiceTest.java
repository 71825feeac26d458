package org.robber.transport.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollDomainDatagramChannel;
import io.netty.channel.unix.DomainDatagramPacket;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.robber.transport.security.Credentials;
import org.robber.transport.sockets.Sockets;

/** A port of a daemon and those that connect with it, over loopback. */
@Timeout(60)
class ServiceTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final ServiceManager NONE = new ServiceManager(Map.of());

    private final BlockingQueue<ServiceConnection> accepted = new LinkedBlockingQueue<>();

    @TempDir
    Path folder;

    private ServicePort port(String secret) throws IOException {
        return ServicePort.open(
                NONE, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), () -> known(secret), accepted::add);
    }

    private static Credentials known(String secret) {
        return Credentials.ofSecret(secret.getBytes(UTF_8));
    }

    private static ServiceConnection connect(ServiceDialer dialer, ServicePort port) throws Exception {
        return dialer.connect("127.0.0.1", port.address().getPort(), LIMIT);
    }

    private ServiceConnection awaitAccepted() throws InterruptedException {
        ServiceConnection connection = accepted.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(connection).isNotNull();
        return connection;
    }

    @Test
    void bytesComeInOrderInBothDirectionsAndTheEndBehindThem() throws Exception {
        byte[] there = new byte[3_000_001];
        byte[] back = new byte[2_000_003];
        new Random(1).nextBytes(there);
        new Random(2).nextBytes(back);
        for (String secret : new String[] {"", "a secret"}) {
            try (ServicePort port = port(secret);
                    ServiceDialer dialer = new ServiceDialer(known(secret))) {
                ServiceConnection mine = connect(dialer, port);
                CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> write(mine, there));
                ServiceConnection theirs = awaitAccepted();
                assertThat(theirs.peer().isLoopbackAddress()).isTrue();
                assertThat(theirs.input().readNBytes(there.length)).isEqualTo(there);
                CompletableFuture<Void> answered = CompletableFuture.runAsync(() -> {
                    write(theirs, back);
                    theirs.close();
                });
                assertThat(mine.input().readAllBytes()).isEqualTo(back);
                sent.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
                answered.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
                assertThat(theirs.input().read()).isEqualTo(-1);
                assertThatIOException().isThrownBy(() -> write(theirs.output(), new byte[1]));
            }
        }
    }

    /** Whoever sends is held up by the other side, and not the memory of that. */
    @Test
    void bytesThatAreNotReadHoldUpTheOtherSide() throws Exception {
        try (ServicePort port = port("");
                ServiceDialer dialer = new ServiceDialer(known(""))) {
            ServiceConnection mine = connect(dialer, port);
            byte[] much = new byte[64 << 20];
            CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> write(mine, much));
            ServiceConnection theirs = awaitAccepted();
            theirs.limitReads(LIMIT);
            assertThat(theirs.input().readNBytes(1 << 20)).hasSize(1 << 20);
            assertThat(sent).isNotDone();
            assertThat(theirs.input().readNBytes(much.length - (1 << 20))).hasSize(much.length - (1 << 20));
            sent.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @Test
    void aWaitForBytesIsLimitedWhereThatIsWanted() throws Exception {
        try (ServicePort port = port("");
                ServiceDialer dialer = new ServiceDialer(known(""))) {
            ServiceConnection mine = connect(dialer, port);
            mine.limitReads(Duration.ofMillis(20));
            assertThatIOException().isThrownBy(() -> mine.input().read()).isInstanceOf(SocketTimeoutException.class);
            mine.close();
            assertThat(mine.input().read()).isEqualTo(-1);
            assertThat(accepted).as("said nothing").isEmpty();
        }
    }

    /** The limit begins when it is set, and not when the wait began. */
    @Test
    void aLimitHoldsForAWaitThatGoesOnAlready() throws Exception {
        try (ServicePort port = port("");
                ServiceDialer dialer = new ServiceDialer(known(""))) {
            ServiceConnection mine = connect(dialer, port);
            CompletableFuture<Long> ended = CompletableFuture.supplyAsync(() -> {
                assertThatIOException()
                        .isThrownBy(() -> mine.input().read())
                        .isInstanceOf(SocketTimeoutException.class);
                return System.nanoTime();
            });
            assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> ended.get(300, TimeUnit.MILLISECONDS));
            long set = System.nanoTime();
            mine.limitReads(Duration.ofMillis(500));
            assertThat(ended.get(LIMIT.toSeconds(), TimeUnit.SECONDS) - set)
                    .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(500));
        }
    }

    @Test
    void whoHasAnotherSecretIsToldSo() throws Exception {
        try (ServicePort port = port("one");
                ServiceDialer dialer = new ServiceDialer(known("other"));
                ServiceDialer none = new ServiceDialer(known(""))) {
            for (ServiceDialer wrong : new ServiceDialer[] {dialer, none}) {
                assertThatIOException()
                        .isThrownBy(() -> connect(wrong, port))
                        .withMessageContaining("its daemon has another secret: is the file of --secret-file");
            }
            assertThat(accepted).isEmpty();
        }
    }

    @Test
    void whereNoDaemonIsTheMessageSaysSo() throws Exception {
        try (ServiceDialer dialer = new ServiceDialer(known(""))) {
            int free;
            try (ServerSocket once = new ServerSocket(0)) {
                free = once.getLocalPort();
            }
            assertThatIOException()
                    .isThrownBy(() -> dialer.connect("127.0.0.1", free, LIMIT))
                    .withMessageContaining("Connection refused")
                    .withMessageContaining("does 'robber-cli serve' run there?");
            assertThatIOException()
                    .isThrownBy(() -> dialer.connect("no-such-host.invalid", free, LIMIT))
                    .withMessage("there is no host of this name");
            try (ServerSocket silent = new ServerSocket(0)) {
                assertThatIOException()
                        .isThrownBy(() -> dialer.connect("127.0.0.1", silent.getLocalPort(), Duration.ofMillis(300)))
                        .withMessageContaining("no connection with a daemon at port " + silent.getLocalPort());
            }
        }
    }

    /** Each new one takes the place of the oldest: who knows the secret gets through. */
    @Test
    void manyThatSayNothingKeepNobodyOut() throws Exception {
        Socket[] silent = new Socket[400];
        try (ServicePort port = port("a secret");
                ServiceDialer dialer = new ServiceDialer(known("a secret"))) {
            for (int i = 0; i < silent.length; i++) {
                silent[i] = new Socket(
                        InetAddress.getLoopbackAddress(), port.address().getPort());
            }
            ServiceConnection mine = connect(dialer, port);
            write(mine, new byte[] {7});
            assertThat(awaitAccepted().input().read()).isEqualTo(7);
        } finally {
            for (Socket socket : silent) {
                if (socket != null) {
                    socket.close();
                }
            }
        }
    }

    @Test
    void onlyTheProcessThatIsMeantTakesASocketOfTheServiceManager() {
        String own = Long.toString(ProcessHandle.current().pid());
        assertThat(NONE.socket()).isEmpty();
        assertThat(new ServiceManager(Map.of("LISTEN_PID", own, "LISTEN_FDS", "1")).socket())
                .isEqualTo(OptionalInt.of(3));
        assertThat(new ServiceManager(Map.of("LISTEN_PID", own + "1", "LISTEN_FDS", "1")).socket())
                .isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ServiceManager(Map.of("LISTEN_PID", own, "LISTEN_FDS", "2")).socket())
                .withMessageContaining("one ListenStream=");
    }

    @Test
    void theServiceManagerHearsHowItIs() throws Exception {
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        try (Sockets sockets = Sockets.open(1)) {
            assumeThat(sockets.kind()).isEqualTo(Sockets.Kind.EPOLL);
            Path socket = folder.resolve("notify");
            Channel manager = new Bootstrap()
                    .group(sockets.group())
                    .channel(EpollDomainDatagramChannel.class)
                    .handler(new SimpleChannelInboundHandler<DomainDatagramPacket>() {
                        @Override
                        protected void channelRead0(ChannelHandlerContext context, DomainDatagramPacket message) {
                            heard.add(message.content().toString(UTF_8));
                        }
                    })
                    .bind(new DomainSocketAddress(socket.toFile()))
                    .sync()
                    .channel();
            new ServiceManager(Map.of("NOTIFY_SOCKET", socket.toString())).tell(sockets, "READY=1");
            assertThat(heard.poll(LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo("READY=1");
            manager.close().sync();
        }
    }

    private static void write(ServiceConnection connection, byte[] bytes) {
        try {
            for (int at = 0; at < bytes.length; at += 100_000) {
                write(connection.output(), Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + 100_000)));
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void write(OutputStream output, byte[] bytes) throws IOException {
        output.write(bytes);
    }
}
