package org.robber.transport.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import java.net.InetAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.robber.RobberException;
import org.robber.transport.sockets.Sockets.Kind;

class CongestionControlTest {
    private static final String ALWAYS_THERE = "reno";

    @Test
    void bothEndsOfAConnectionHaveIt() throws Exception {
        assumeThat(Kind.best()).isEqualTo(Kind.EPOLL);
        CongestionControl control = new CongestionControl(ALWAYS_THERE);
        CompletableFuture<String> accepted = new CompletableFuture<>();
        try (Sockets sockets = Sockets.open(1)) {
            Channel listening = listen(sockets, control, accepted);
            control.check(sockets, 3);
            Channel connected = control.with(sockets.bootstrap())
                    .handler(new ChannelInboundHandlerAdapter())
                    .connect(listening.localAddress())
                    .sync()
                    .channel();
            assertThat(CongestionControl.of(connected)).isEqualTo(ALWAYS_THERE);
            assertThat(accepted.get(10, TimeUnit.SECONDS)).isEqualTo(ALWAYS_THERE);
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void whatTheKernelDoesNotHaveIsRefused(Kind kind) {
        assumeThat(kind == Kind.NIO || Kind.best() == Kind.EPOLL).isTrue();
        CongestionControl control = new CongestionControl("no-such-control-with-a-long-name");
        try (Sockets sockets = Sockets.open(1, kind)) {
            assertThatThrownBy(() -> control.check(sockets, 3))
                    .isInstanceOf(RobberException.class)
                    .hasMessageContaining("rank 3 cannot use the congestion control 'no-such-control")
                    .hasMessageContaining("tcp_allowed_congestion_control");
        }
    }

    @Test
    void withoutANameAnySocketWillDo() throws Exception {
        CongestionControl control = new CongestionControl("");
        try (Sockets sockets = Sockets.open(1, Kind.NIO)) {
            control.check(sockets, 3);
            assertThat(listen(sockets, control, new CompletableFuture<>()).isActive())
                    .isTrue();
        }
    }

    private static Channel listen(Sockets sockets, CongestionControl control, CompletableFuture<String> accepted)
            throws InterruptedException {
        ServerBootstrap server = control.with(sockets.serverBootstrap()).childHandler(new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                accepted.complete(CongestionControl.of(channel));
            }
        });
        return server.bind(InetAddress.getLoopbackAddress(), 0).sync().channel();
    }
}
