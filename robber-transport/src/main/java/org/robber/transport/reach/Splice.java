package org.robber.transport.reach;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.robber.transport.sockets.Sockets;

/**
 * One end of two connections whose bytes go from each to the other. A side is read no faster than the other side takes its bytes. Both end when one ends, or when
 * neither has carried a byte for long. Belongs to the event loop of its connection.
 */
final class Splice extends ChannelInboundHandlerAdapter {
    private final Channel own;
    private final Channel other;
    private final LongConsumer carried;

    private Splice(Channel own, Channel other, LongConsumer carried) {
        this.own = own;
        this.other = other;
        this.carried = carried;
    }

    /**
     * Joins two connections. Any thread.
     *
     * @param idle ends both when nothing was carried for so long
     * @param carried told the number of bytes that go on, in either direction
     */
    static void join(Channel one, Channel other, Duration idle, LongConsumer carried) {
        begin(one, other, idle, carried);
        begin(other, one, idle, carried);
    }

    private static void begin(Channel own, Channel other, Duration idle, LongConsumer carried) {
        boolean unused = Sockets.runOn(own.eventLoop(), () -> {
            PlacedReceive.large(own);
            HandOver.to(
                    own,
                    new IdleStateHandler(0, 0, idle.toMillis(), TimeUnit.MILLISECONDS),
                    new Splice(own, other, carried));
            if (!own.isActive()) {
                other.close();
            }
        });
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        carried.accept(((ByteBuf) message).readableBytes());
        other.write(message, other.voidPromise());
        readOn();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        other.flush();
    }

    /** Looks at the other side as it is now: whatever changes there later comes here as a task. */
    private void readOn() {
        own.config().setAutoRead(other.isWritable());
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        // The other handler decides on its own loop, in the order of events there.
        boolean unused = Sockets.runOn(other.eventLoop(), () -> other.config().setAutoRead(own.isWritable()));
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        if (event instanceof IdleStateEvent) {
            context.close();
        } else {
            super.userEventTriggered(context, event);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        // What has come before still leaves.
        var unused = other.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
