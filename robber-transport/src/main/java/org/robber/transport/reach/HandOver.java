package org.robber.transport.reach;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;

/** Gives a connection whose greetings are over to an owner. */
public final class HandOver {

    private HandOver() {}

    /**
     * Adds the owner's handlers and reads on, what has come already at first. To be called on the loop of the connection. If the connection
     * has ended before, the handlers don't hear of it.
     */
    public static void to(Channel channel, ChannelHandler... handlers) {
        channel.pipeline().addLast(handlers);
        EarlyBytes.handOver(channel.pipeline());
        channel.config().setAutoRead(true);
    }

    /** Gives what has come already to the handlers that an owner has added. It reads on itself. */
    public static void earlyBytes(Channel channel) {
        EarlyBytes.handOver(channel.pipeline());
    }
}
