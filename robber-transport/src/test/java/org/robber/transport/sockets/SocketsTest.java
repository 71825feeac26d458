package org.robber.transport.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.unix.Errors;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.robber.transport.sockets.Sockets.Kind;

class SocketsTest {

    @ParameterizedTest
    @EnumSource(Kind.class)
    void connectsAndListensWithEveryKind(Kind kind) throws Exception {
        try (Sockets sockets = Sockets.open(1, kind)) {
            Channel server = sockets.serverBootstrap()
                    .childHandler(new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel channel) {
                            channel.pipeline().addLast(new Echo());
                        }
                    })
                    .bind(InetAddress.getLoopbackAddress(), 0)
                    .sync()
                    .channel();
            CompletableFuture<Byte> answer = new CompletableFuture<>();
            Channel client = sockets.bootstrap()
                    .handler(new SimpleChannelInboundHandler<ByteBuf>() {
                        @Override
                        protected void channelRead0(ChannelHandlerContext ctx, ByteBuf bytes) {
                            answer.complete(bytes.readByte());
                        }
                    })
                    .connect((InetSocketAddress) server.localAddress())
                    .sync()
                    .channel();
            client.writeAndFlush(client.alloc().buffer().writeByte(42)).sync();

            assertThat(answer.get(10, TimeUnit.SECONDS)).isEqualTo((byte) 42);
        }
    }

    /** From its own thread, because that meets the loop between its look at whether it should end and its end. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void closingClosesAllConnections(Kind kind) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Sockets sockets = Sockets.open(1, kind);
            Channel client = sockets.bootstrap()
                    .handler(new ChannelInboundHandlerAdapter())
                    .connect(server.getLocalSocketAddress())
                    .sync()
                    .channel();
            sockets.group().submit(sockets::close).get(3, TimeUnit.SECONDS);

            assertThat(client.closeFuture().await(10, TimeUnit.SECONDS)).isTrue();
            sockets.close();
        }
    }

    @Test
    void closingEndsItsThreads() throws Exception {
        Sockets sockets = Sockets.open(2);
        Thread first = sockets.group().submit(Thread::currentThread).get();

        sockets.close();

        assertThat(sockets.group().isTerminated()).isTrue();
        first.join(10_000);
        assertThat(first.isAlive()).isFalse();
    }

    @Test
    void closingFromOneOfItsThreadsDoesNotWaitForItself() throws Exception {
        Sockets sockets = Sockets.open(1);
        sockets.group().submit(sockets::close).get(3, TimeUnit.SECONDS);

        assertThat(sockets.group().terminationFuture().await(10, TimeUnit.SECONDS))
                .isTrue();
    }

    @Test
    void troubleIsToldInTheWordsOfTheSystem() {
        assumeTrue(Kind.best() == Kind.EPOLL);
        int brokenPipe = -32;
        assertThat(Sockets.trouble(Errors.newIOException("sendAddress", brokenPipe)))
                .isEqualTo("Broken pipe");
        assertThat(Sockets.trouble(new IOException("Connection reset: by peer")))
                .isEqualTo("Connection reset: by peer");
    }

    private static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // The test would time out.
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ctx.writeAndFlush(message);
        }
    }
}
