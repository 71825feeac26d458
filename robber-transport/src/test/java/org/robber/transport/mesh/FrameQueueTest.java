package org.robber.transport.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.netty.channel.local.LocalChannel;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.robber.transport.link.pace.SendRate;

/** Frames of several threads stay in the order in which they were added. */
class FrameQueueTest {
    private final EventLoop loop = new DefaultEventLoop();

    @AfterEach
    void closeLoop() throws Exception {
        assertThat(loop.shutdownGracefully(0, 10, TimeUnit.SECONDS).await(10, TimeUnit.SECONDS))
                .isTrue();
    }

    @Test
    void aFrameOfTheEventLoopDoesNotOvertakeAnEarlierOneOfAnotherThread() throws Exception {
        List<Byte> written = Collections.synchronizedList(new ArrayList<>());
        Channel channel = new LocalChannel();
        channel.pipeline().addLast(new ChannelOutboundHandlerAdapter() {
            @Override
            public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
                ByteBuf frame = (ByteBuf) message;
                written.add(frame.readByte());
                frame.release();
            }

            @Override
            public void flush(ChannelHandlerContext context) {
                // There is no peer.
            }
        });
        loop.register(channel).sync();
        FrameQueue queue = new FrameQueue(channel, SendRate.unlimited());
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch added = new CountDownLatch(1);
        var reply = loop.submit(() -> {
            busy.countDown();
            assertThat(added.await(10, TimeUnit.SECONDS)).isTrue();
            queue.add(frame(1));
            return null;
        });
        assertThat(busy.await(10, TimeUnit.SECONDS)).isTrue();
        queue.add(frame(0));
        added.countDown();
        reply.get(10, TimeUnit.SECONDS);
        queue.add(frame(2));
        loop.submit(() -> null).get(10, TimeUnit.SECONDS);
        assertThat(written).containsExactly((byte) 0, (byte) 1, (byte) 2);
    }

    private static ByteBuffer frame(int content) {
        return ByteBuffer.wrap(new byte[] {(byte) content, 0, 0, 0, 0, 0});
    }
}
