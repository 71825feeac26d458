package org.robber.transport.rendezvous;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.timeout.IdleState;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.robber.core.protocol.ControlMessage;
import org.robber.core.wire.ControlCodec;
import org.robber.core.wire.ControlType;
import org.robber.core.wire.WireException;
import org.robber.transport.security.GreetingDone;
import org.robber.transport.security.GreetingFailed;
import org.robber.transport.security.GreetingHandler;
import org.robber.transport.sockets.Sockets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One end of a control connection: greets, sends and receives messages, says that it is alive where there is nothing else
 * to say, and ends the connection when the other side is silent for too long or sends what is no message. To be used on
 * the connection's event loop only.
 */
final class ControlLink extends SimpleChannelInboundHandler<ControlMessage> {
    private static final Logger LOG = LoggerFactory.getLogger(ControlLink.class);
    private static final long FINISH_LIMIT_SECONDS = 2;

    /** A joiner may have other limits than the job: each says more often that it is alive than any sensible limit asks for. */
    private static final long MOST_ALIVE_MILLIS = 1000;

    private final Channel channel;
    private final ControlFrames frames;
    private final Duration silenceTimeout;
    private LinkListener listener;
    private @Nullable GreetingFailed greetingFailure;
    private String ending = "its process ended or its network broke";
    private final String peer;
    private boolean greeted;
    private boolean closing;

    private ControlLink(
            Channel channel, String peer, ControlFrames frames, Duration silenceTimeout, LinkListener listener) {
        this.channel = channel;
        this.peer = peer;
        this.frames = frames;
        this.silenceTimeout = silenceTimeout;
        this.listener = listener;
    }

    /**
     * Makes a fresh connection a control connection.
     *
     * @param peer the other end, for people
     * @param expected what the other side may say first
     */
    static ControlLink on(
            Channel channel,
            String peer,
            GreetingHandler greeting,
            Set<ControlType> expected,
            Duration silenceTimeout,
            LinkListener listener) {
        ControlFrames frames = new ControlFrames(expected);
        ControlLink link = new ControlLink(channel, peer, frames, silenceTimeout, listener);
        long silenceMillis = Math.max(4, silenceTimeout.toMillis());
        long aliveMillis = Math.min(MOST_ALIVE_MILLIS, silenceMillis / 4);
        channel.pipeline()
                .addLast(
                        new IdleStateHandler(silenceMillis, aliveMillis, 0, TimeUnit.MILLISECONDS),
                        greeting,
                        frames,
                        link);
        return link;
    }

    /** From now on, this one is told, and the other side may say these things. */
    void handTo(LinkListener newListener, Set<ControlType> expected) {
        listener = newListener;
        frames.expect(expected);
    }

    void send(ControlMessage message) {
        send(ControlCodec.encode(message));
    }

    /** Sends an encoded message, which may be sent to others as well. */
    void send(ByteBuffer frame) {
        if (!closing) {
            var unused = channel.writeAndFlush(Unpooled.wrappedBuffer(frame), channel.voidPromise());
        }
    }

    /** Sends these one after the other, each once the one before has left: however many they are, they take the memory of one. */
    void sendInTurn(Iterator<ControlMessage> messages) {
        if (!closing && messages.hasNext()) {
            var unused = channel.writeAndFlush(Unpooled.wrappedBuffer(ControlCodec.encode(messages.next())))
                    .addListener(written -> {
                        if (written.isSuccess()) {
                            sendInTurn(messages);
                        }
                    });
        }
    }

    /** Sends a last message and hears nothing more; the other side is given some time to read it and to close. */
    void finish(ControlMessage last) {
        send(last);
        closing = true;
        var unused = channel.eventLoop().schedule(() -> close("left"), FINISH_LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    /** Ends the connection; nothing more is received. */
    void close(String why) {
        if (!closing) {
            closing = true;
            ending = why;
        }
        var unused = channel.close();
    }

    /** Done when the connection has ended. */
    ChannelFuture closed() {
        return channel.closeFuture();
    }

    /** Why the greeting failed, or null if it didn't. */
    @Nullable
    GreetingFailed greetingFailure() {
        return greetingFailure;
    }

    /** The address of the other end. */
    InetAddress remoteAddress() {
        return address(channel.remoteAddress());
    }

    /** The address of this end. */
    InetAddress localAddress() {
        return address(channel.localAddress());
    }

    private static InetAddress address(@Nullable SocketAddress socket) {
        return socket instanceof InetSocketAddress internet && internet.getAddress() != null
                ? internet.getAddress()
                : InetAddress.getLoopbackAddress();
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ControlMessage message) {
        if (!closing && !(message instanceof ControlMessage.Alive)) {
            listener.received(this, message);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        if (event == GreetingDone.DONE) {
            greeted = true;
            listener.greeted(this);
        } else if (event instanceof GreetingFailed failed) {
            greetingFailure = failed;
            ending = closing ? ending : failed.reason();
        } else if (event instanceof IdleStateEvent idle && greeted) {
            if (idle.state() == IdleState.WRITER_IDLE) {
                send(new ControlMessage.Alive());
            } else {
                close("it said nothing for " + Failures.seconds(silenceTimeout));
            }
        } else {
            super.userEventTriggered(context, event);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        closing = true;
        listener.ended(this, ending);
        super.channelInactive(context);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        Throwable root = cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause;
        if (root instanceof WireException) {
            close("it broke the protocol: " + root.getMessage());
        } else if (root instanceof IOException) {
            close("its process ended or its network broke (" + Sockets.trouble(root) + ")");
        } else {
            LOG.error("cannot go on with {}", this, root);
            close("what it said could not be handled: " + root);
        }
    }

    /** The other end, for people. */
    @Override
    public String toString() {
        return peer;
    }
}
