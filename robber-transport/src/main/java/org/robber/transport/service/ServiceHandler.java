package org.robber.transport.service;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.robber.transport.security.GreetingDone;
import org.robber.transport.security.GreetingFailed;

/** Hands what comes over a channel to its {@link ServiceConnection}, and tells how the greeting went. Belongs to one event loop. */
final class ServiceHandler extends ChannelInboundHandlerAdapter {
    private final ServiceConnection connection;
    private final Listener listener;
    private boolean begun;

    /** Told once how it went, on the event loop of the channel; then of the first bytes. */
    interface Listener {
        /** Both sides have proven the secret. */
        void greeted(ServiceConnection connection);

        /** The connection has ended before that, or before its first bytes. */
        void failed(GreetingFailed why);

        /** The first bytes have come behind the greeting. */
        void begun(ServiceConnection connection);
    }

    ServiceHandler(ServiceConnection connection, Listener listener) {
        this.connection = connection;
        this.listener = listener;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        if (event instanceof GreetingDone) {
            listener.greeted(connection);
        } else if (event instanceof GreetingFailed failed) {
            begun = true;
            listener.failed(failed);
        }
        super.userEventTriggered(context, event);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        connection.arrived((ByteBuf) message);
        if (!begun) {
            begun = true;
            listener.begun(connection);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        if (!begun) {
            begun = true;
            listener.failed(new GreetingFailed(GreetingFailed.Kind.LEFT, "it closed the connection"));
        }
        connection.finish();
        super.channelInactive(context);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        var unused = context.close();
    }
}
