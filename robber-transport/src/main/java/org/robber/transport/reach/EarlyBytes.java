package org.robber.transport.reach;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps the bytes that came together with the peer's hello until the connection's owner has put its handlers in place. Reading has stopped
 * meanwhile, so these are the rest of one read.
 */
final class EarlyBytes extends ChannelInboundHandlerAdapter {
    private final List<Object> kept = new ArrayList<>();

    /** The owner's handlers are in place: they get the kept bytes before all that is read from now on. */
    static void handOver(ChannelPipeline pipeline) {
        if (pipeline.get(EarlyBytes.class) != null) {
            pipeline.remove(EarlyBytes.class);
        }
    }

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
