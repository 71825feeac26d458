package org.robber.transport.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollChannelOption;
import java.net.InetAddress;
import java.time.Duration;
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

    private void assertOptions(int idleSeconds, int probeSeconds, int silenceMillis) {
        assertThat(channel.config().getOption(ChannelOption.SO_KEEPALIVE)).isTrue();
        assertThat(channel.config().getOption(EpollChannelOption.TCP_KEEPIDLE)).isEqualTo(idleSeconds);
        assertThat(channel.config().getOption(EpollChannelOption.TCP_KEEPINTVL)).isEqualTo(probeSeconds);
        assertThat(channel.config().getOption(EpollChannelOption.TCP_USER_TIMEOUT))
                .isEqualTo(silenceMillis);
    }
}
