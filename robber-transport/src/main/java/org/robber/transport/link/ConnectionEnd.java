package org.robber.transport.link;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import java.io.IOException;
import org.robber.transport.sockets.Sockets;

/** The end of a connection's pipeline: tells how the connection ends. */
final class ConnectionEnd extends ChannelInboundHandlerAdapter {
    private final PeerLink link;
    private final LinkSession session;

    ConnectionEnd(PeerLink link, LinkSession session) {
        this.link = link;
        this.session = session;
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        link.lost("its connection ended");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable thrown) {
        // Exceptions of TLS come wrapped.
        Throwable cause = thrown instanceof DecoderException && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (!link.isClosing() && !(cause instanceof IOException)) {
            // This is a defect of this process, and not the fault of the peer.
            session.crashed(cause);
        }
        link.lost("its connection broke: " + Sockets.trouble(cause));
    }
}
