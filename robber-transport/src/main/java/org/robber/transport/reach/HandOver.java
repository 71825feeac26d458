package org.robber.transport.reach;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayList;
import java.util.List;

/** Gives a connection whose greetings are over to an owner. */
public final class HandOver {

    private HandOver() {}

    /**
     * Adds the owner's handlers and reads on, what has come already at first. To be called on the loop of the connection. If the connection
     * has ended before, the handlers don't hear of it.
     */
    public static void to(Channel channel, ChannelHandler... handlers) {
        channel.pipeline().addLast(handlers);
        earlyBytes(channel);
        channel.config().setAutoRead(true);
    }

    /** Gives what has come already to the handlers that an owner has added. It reads on itself. */
    public static void earlyBytes(Channel channel) {
        if (channel.pipeline().get(EarlyBytes.class) != null) {
            channel.pipeline().remove(EarlyBytes.class);
        }
    }

    /**
     * Keeps the bytes that came together with the peer's hello until the connection's owner has put its handlers in place. Reading has stopped
     * meanwhile, so these are the rest of one read.
     */
    static final class EarlyBytes extends ChannelInboundHandlerAdapter {
        private final List<Object> kept = new ArrayList<>();

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            kept.add(message);
        }

        @Override
        public void handlerRemoved(ChannelHandlerContext context) {
            boolean open = context.channel().isOpen();
            for (Object message : kept) {
                if (open) {
                    context.fireChannelRead(message);
                } else {
                    ReferenceCountUtil.release(message);
                }
            }
            kept.clear();
        }
    }
}
