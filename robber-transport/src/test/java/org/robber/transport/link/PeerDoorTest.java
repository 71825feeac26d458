package org.robber.transport.link;

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
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.robber.JobOptions;
import org.robber.core.protocol.ControlMessage;
import org.robber.core.protocol.ControlMessage.DataHello;
import org.robber.core.protocol.ControlMessage.Member;
import org.robber.core.protocol.ControlMessage.Roster;
import org.robber.core.wire.ControlCodec;
import org.robber.transport.BufferLeaks;
import org.robber.transport.security.Credentials;
import org.robber.transport.security.GreetingDone;
import org.robber.transport.security.GreetingFailed;
import org.robber.transport.sockets.Sockets;

/** Who gets in at the port for peers, and who does not. */
class PeerDoorTest {
    private final BufferLeaks.Watch leaks = BufferLeaks.watch();

    private static final int LIMIT_SECONDS = 30;
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
    void nobodysOwnPortIsThatOfTheJob() {
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

        Channel listening = PeerDoor.elsewhere(portOfJob, free::next);

        assertThat(listening).isSameAs(ports.get(1));
        assertThat(listening.isOpen()).isTrue();
        // Where rank 0 can listen now.
        assertThat(ports.get(0).isOpen()).isFalse();
    }

    @Test
    void peersGetInHoweverManyStrangersWait() throws Exception {
        PeerDoor zero = door(0, SECRET);
        PeerDoor one = door(1, SECRET);
        CompletableFuture<Integer> came = new CompletableFuture<>();
        zero.expect(0, (rank, channel) -> came.complete(rank));
        List<Socket> silent = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            silent.add(socket(zero.port()));
        }

        Channel channel = get(one.connect(0, 0, member(zero.port())));
        assertThat(get(came)).isEqualTo(1);
        assertThat(channel.isActive()).isTrue();
        // The first of those that only wait has lost its place to the others.
        assertThat(silent.get(0).getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void aPeerThatLostItsPlaceComesAgain() throws Exception {
        PeerDoor one = door(1, SECRET);
        try (ServerSocket besieged = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            besieged.setSoTimeout(LIMIT_SECONDS * 1000);
            CompletableFuture<Channel> call = one.connect(0, 0, member(besieged.getLocalPort()));
            for (int i = 0; i < 3; i++) {
                besieged.accept().close();
            }

            assertThat(call).isNotDone();
            call.cancel(false);
        }
    }

    @Test
    void aPeerWithAnotherSecretIsNotAskedAgain() throws Exception {
        PeerDoor zero = door(0, SECRET);
        PeerDoor one = door(1, new byte[] {9});

        assertThatThrownBy(() -> get(one.connect(0, 0, member(zero.port()))))
                .hasMessageContaining("could not prove the shared secret");
    }

    @Test
    void nobodyWaitsForAPeerThatAnswersInAnothersPlace() throws Exception {
        PeerDoor zero = door(0, SECRET);
        PeerDoor two = door(2, SECRET);

        assertThatThrownBy(() -> get(two.connect(0, 1, member(zero.port()))))
                .hasMessageContaining("rank 0 answers at its address");
    }

    @Test
    void connectionsForAClosedChannelAreClosed() throws Exception {
        PeerDoor zero = door(0, SECRET);
        PeerDoor one = door(1, SECRET);
        zero.expect(3, (rank, channel) -> {
            throw new AssertionError("nobody may come for channel 3");
        });
        zero.forget(3);

        Channel late = get(one.connect(3, 0, member(zero.port())));
        assertThat(late.config().setAutoRead(true).isAutoRead()).isTrue();
        assertThat(late.closeFuture().await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void whoProvesTheSecretAndThenSaysNothingIsSentAway() {
        List<GreetingFailed> failures = new ArrayList<>();
        EmbeddedChannel channel = new EmbeddedChannel(new DataHelloHandler((hello, answer) -> {}, failures::add));
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
        List<DataHello> hellos = new ArrayList<>();
        EmbeddedChannel channel =
                new EmbeddedChannel(new DataHelloHandler((hello, answer) -> hellos.add(hello), failure -> {
                    throw new AssertionError(failure.toString());
                }));
        channel.freezeTime();
        channel.pipeline().fireUserEventTriggered(GreetingDone.DONE);
        DataHello hello = new DataHello("test", 5, 0, 1);
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
            EmbeddedChannel channel = new EmbeddedChannel(new DataHelloHandler((hello, answer) -> {}, failures::add));
            channel.pipeline().fireUserEventTriggered(GreetingDone.DONE);
            channel.writeInbound(Unpooled.wrappedBuffer(bytes));

            assertThat(channel.isOpen()).isFalse();
            assertThat(failures).hasSize(1);
            channel.finishAndReleaseAll();
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

    private PeerDoor door(int rank, byte[] secret) {
        JobOptions options = JobOptions.of("test", "127.0.0.1", 0, rank, 3).withSecret(secret);
        PeerDoor door = PeerDoor.open(sockets, options, Credentials.of(options));
        open.add(door);
        door.open(rank, new Roster(5, ImmutableList.of(member(1), member(2), member(3))));
        return door;
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
