package org.robber.transport.mesh;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.timeout.IdleState;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.robber.core.meeting.MeshMessage;
import org.robber.core.wire.WireException;
import org.robber.transport.control.ControlFailures;
import org.robber.transport.link.HandOver;
import org.robber.transport.sockets.Sockets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One of the connections that a {@link MeshLink} has had. Any thread may send and close. */
final class MeshConnection extends SimpleChannelInboundHandler<MeshMessage> {
    private static final Logger LOG = LoggerFactory.getLogger(MeshConnection.class);

    /** The peer may have another idle timeout. */
    private static final long MOST_BEAT_MILLIS = 1000;

    private final MeshLink link;
    private final Channel channel;
    private final FrameQueue queue;
    private final boolean byHigherRank;
    private volatile String ending = "its process ended or its network broke";

    /** @param byHigherRank whether the node of the higher rank has connected to the other */
    MeshConnection(MeshLink link, Channel channel, boolean byHigherRank) {
        this.link = link;
        this.channel = channel;
        this.queue = new FrameQueue(channel);
        this.byHigherRank = byHigherRank;
    }

    boolean isByHigherRank() {
        return byHigherRank;
    }

    /** Takes over the connection, whose greetings are over. */
    void open(Duration idleTimeout) {
        boolean unused = Sockets.runOn(channel.eventLoop(), () -> {
            long idleMillis = Math.max(4, idleTimeout.toMillis());
            long beatMillis = Math.min(MOST_BEAT_MILLIS, idleMillis / 4);
            IdleStateHandler idle = new IdleStateHandler(idleMillis, beatMillis, 0, TimeUnit.MILLISECONDS);
            link.acknowledge(this);
            HandOver.to(channel, idle, new MeshFrames(), this);
            if (!channel.isActive()) {
                link.ended(this, ending);
            }
        });
    }

    void send(ByteBuffer frame) {
        queue.add(frame);
    }

    void close() {
        channel.close();
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, MeshMessage message) {
        link.received(this, message);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        if (event instanceof IdleStateEvent idle && idle.state() == IdleState.WRITER_IDLE) {
            link.acknowledge(this);
        } else if (event instanceof IdleStateEvent) {
            ending = "it sent nothing for " + ControlFailures.seconds(link.idleTimeout());
            close();
        } else {
            super.userEventTriggered(context, event);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        link.ended(this, ending);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        Throwable root = cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause;
        if (root instanceof WireException) {
            ending = "it broke the protocol: " + root.getMessage();
        } else if (root instanceof IOException) {
            ending = "its process ended or its network broke (" + Sockets.trouble(root) + ")";
        } else {
            LOG.error("a message could not be handled", root);
            ending = "its message could not be handled: " + root;
        }
        close();
    }
}
