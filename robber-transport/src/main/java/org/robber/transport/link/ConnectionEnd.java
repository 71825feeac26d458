package org.robber.transport.link;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import java.io.IOException;
import java.util.function.Consumer;
import org.robber.transport.sockets.Sockets;

/** The end of a connection's pipeline: tells how the connection ends. */
final class ConnectionEnd extends ChannelInboundHandlerAdapter {
    private final Consumer<Throwable> defect;
    private final Consumer<String> ended;

    /**
     * @param defect told of what is a defect of this process, and not the fault of the peer
     * @param ended told why the connection has ended
     */
    ConnectionEnd(Consumer<Throwable> defect, Consumer<String> ended) {
        this.defect = defect;
        this.ended = ended;
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        ended.accept("its connection ended");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable thrown) {
        // Exceptions of TLS come wrapped.
        Throwable cause = thrown instanceof DecoderException && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (!(cause instanceof IOException)) {
            defect.accept(cause);
        }
        ended.accept("its connection broke: " + Sockets.trouble(cause));
    }
}
