package org.robber.transport.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollChannelOption;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the kernel is told of a connection whose other side may vanish without a word. */
class LivenessTest {
    private final Sockets sockets = Sockets.open(1);
    private final Channel listening = sockets.serverBootstrap()
            .childHandler(new ChannelInboundHandlerAdapter())
            .bind(InetAddress.getLoopbackAddress(), 0)
            .syncUninterruptibly()
            .channel();
    private final Channel channel = sockets.bootstrap()
            .handler(new ChannelInboundHandlerAdapter())
            .connect(listening.localAddress())
            .syncUninterruptibly()
            .channel();

    @AfterEach
    void close() {
        sockets.close();
    }

    @Test
    void silenceIsLimitedAndNoticedBeforeTheLimit() {
        Liveness.watch(channel, Duration.ofSeconds(30));
        assertOptions(15, 5, 30_000);
        Liveness.watch(channel, Duration.ofSeconds(12));
        assertOptions(6, 2, 12_000);
    }

    @Test
    void allLimitsCanBeSet() {
        Liveness.watch(channel, Duration.ofMillis(1));
        assertOptions(1, 1, 1);
        // A firewall would forget the connection meanwhile.
        Liveness.watch(channel, Duration.ofDays(1000));
        assertOptions(15, 5, Integer.MAX_VALUE);
    }

    /** Its system answers, though its program reads nothing: the buffers are full, and nothing of that leaves. */
    @Test
    void whoReadsNothingIsNotGone() throws Exception {
        try (ServerSocket idle = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Channel sender = sockets.bootstrap()
                    .handler(new ChannelInboundHandlerAdapter())
                    .connect(idle.getLocalSocketAddress())
                    .syncUninterruptibly()
                    .channel();
            try (Socket reader = idle.accept()) {
                Liveness.watchSystem(sender, Duration.ofSeconds(1));
                sender.writeAndFlush(Unpooled.wrappedBuffer(new byte[16 << 20]));

                assertThat(sender.closeFuture().await(5, TimeUnit.SECONDS)).isFalse();
                assertThat(reader.getInputStream().readNBytes(16 << 20)).hasSize(16 << 20);
            }
        }
    }

    @Test
    void whoAnswersNothingIsGone() {
        AckWatch watch = new AckWatch(Duration.ofSeconds(8));
        assertThat(watch.isGone(100_000, 0)).as("nothing waits").isFalse();
        assertThat(watch.isGone(100_000, 2)).as("asked just now").isFalse();
        assertThat(watch.isGone(0, 0)).as("it has answered").isFalse();
        assertThat(watch.isGone(9_000, 1)).as("one answer was left out").isFalse();
        assertThat(watch.isGone(9_000, 1)).as("one answer was left out").isFalse();
        assertThat(watch.isGone(3_000, 2)).isFalse();
        assertThat(watch.isGone(5_000, 3)).as("too early").isFalse();
        assertThat(watch.isGone(8_000, 4)).isTrue();
    }

    private void assertOptions(int idleSeconds, int probeSeconds, int silenceMillis) {
        assertThat(channel.config().getOption(ChannelOption.SO_KEEPALIVE)).isTrue();
        assertThat(channel.config().getOption(EpollChannelOption.TCP_KEEPIDLE)).isEqualTo(idleSeconds);
        assertThat(channel.config().getOption(EpollChannelOption.TCP_KEEPINTVL)).isEqualTo(probeSeconds);
        assertThat(channel.config().getOption(EpollChannelOption.TCP_USER_TIMEOUT))
                .isEqualTo(silenceMillis);
    }
}
