package org.robber.transport.control;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.timeout.IdleState;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.robber.core.wire.WireException;
import org.robber.transport.security.GreetingDone;
import org.robber.transport.security.GreetingFailed;
import org.robber.transport.security.GreetingHandler;
import org.robber.transport.sockets.Hosts;
import org.robber.transport.sockets.Sockets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One end of a control connection. Greets, sends and receives messages, and sends {@code ALIVE} where there is nothing else to send. Ends
 * when the other side is silent for too long or breaks the protocol. Silent beats are counted and not time: a process that was suspended
 * must not blame its peers. To be used on the connection's event loop only.
 */
public final class ControlLink extends SimpleChannelInboundHandler<ControlMessage> {
    private static final Logger LOG = LoggerFactory.getLogger(ControlLink.class);
    private static final long FINISH_LIMIT_SECONDS = 2;

    /** Beats within the longest silence. */
    private static final int BEATS = 4;

    /** A joiner may have other limits than the job: each sends {@code ALIVE} more often than any sensible limit asks for. */
    private static final long MOST_BEAT_MILLIS = 1000;

    private final Channel channel;
    private final EventLoop loop;
    private final ControlFrames frames;
    private final OutgoingFrames outgoing;
    private final Duration silenceTimeout;
    private final long beatMillis;
    private final long silentBeatsAllowed;
    private long silentBeats;
    private ControlLinkListener listener;
    private @Nullable GreetingFailed greetingFailure;
    private String ending = "its process ended or its network broke";
    private final String peer;
    private boolean greeted;
    private boolean closing;

    private ControlLink(
            Channel channel,
            EventLoop loop,
            String peer,
            Set<ControlType> expected,
            Duration silenceTimeout,
            ControlLinkListener listener) {
        this.channel = channel;
        this.loop = loop;
        this.peer = peer;
        this.frames = new ControlFrames(expected);
        this.outgoing = new OutgoingFrames(channel);
        this.silenceTimeout = silenceTimeout;
        long silenceMillis = Math.max(BEATS, silenceTimeout.toMillis());
        this.beatMillis = Math.min(MOST_BEAT_MILLIS, silenceMillis / BEATS);
        this.silentBeatsAllowed = silenceMillis / beatMillis;
        this.listener = listener;
    }

    /**
     * Makes a fresh connection a control connection.
     *
     * @param loop which the link and its listener belong to; that of the connection, or another one
     * @param peer the other end, for people
     * @param expected the messages that the other side may send first
     */
    public static ControlLink on(
            Channel channel,
            EventLoop loop,
            String peer,
            GreetingHandler greeting,
            Set<ControlType> expected,
            Duration silenceTimeout,
            ControlLinkListener listener) {
        ControlLink link = new ControlLink(channel, loop, peer, expected, silenceTimeout, listener);
        IdleStateHandler idle = new IdleStateHandler(link.beatMillis, link.beatMillis, 0, TimeUnit.MILLISECONDS);
        channel.pipeline().addLast(idle, greeting, link.frames, link);
        return link;
    }

    /** Sets the listener, and the messages that the other side may send from now on. */
    public void handTo(ControlLinkListener newListener, Set<ControlType> expected) {
        listener = newListener;
        frames.expect(expected);
    }

    public void send(ControlMessage message) {
        send(OutgoingFrames.encode(message));
    }

    /** Sends a frame, in parts as fast as the other side reads it, and releases it. */
    public void send(ByteBuf frame) {
        if (closing) {
            frame.release();
        } else {
            outgoing.add(frame);
        }
    }

    /** Sends these, each once all before it has left: however many they are, they take the memory of one. */
    public void sendInTurn(Iterator<ControlMessage> messages) {
        if (!closing) {
            outgoing.addInTurn(messages);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        onLoop(outgoing::sendWhatFits);
    }

    /** The connection may belong to another loop than the link. Returns whether there still is a loop to run the work. */
    private boolean onLoop(Runnable work) {
        Runnable guarded = () -> {
            try {
                work.run();
            } catch (RuntimeException e) {
                failed(e);
            }
        };
        if (loop.inEventLoop()) {
            guarded.run();
            return true;
        }
        return Sockets.runOn(loop, guarded);
    }

    /** Sends a last message and receives nothing more; the other side is given some time to read it and to close. */
    public void finish(ControlMessage last) {
        outgoing.endTurn();
        send(last);
        closing = true;
        var unused = loop.schedule(() -> close("left"), FINISH_LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    /** Ends the connection; nothing more is received. */
    public void close(String why) {
        if (!closing) {
            closing = true;
            outgoing.endTurn();
            ending = why;
        }
        var unused = channel.close();
    }

    /** Completes when the connection has ended. */
    public CompletableFuture<Void> closed() {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        var unused = channel.closeFuture().addListener(done -> closed.complete(null));
        return closed;
    }

    /** Why the greeting failed, or null if it didn't. */
    @Nullable
    public GreetingFailed greetingFailure() {
        return greetingFailure;
    }

    /** The address of the other end. */
    public InetAddress remoteAddress() {
        return Hosts.address(channel.remoteAddress());
    }

    /** The address of this end. */
    public InetAddress localAddress() {
        return Hosts.address(channel.localAddress());
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ControlMessage message) {
        if (!(message instanceof ControlMessage.Alive)) {
            onLoop(() -> {
                if (!closing) {
                    listener.received(this, message);
                }
            });
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        if (event == GreetingDone.DONE) {
            onLoop(() -> {
                greeted = true;
                listener.greeted(this);
            });
        } else if (event instanceof GreetingFailed failed) {
            onLoop(() -> {
                greetingFailure = failed;
                ending = closing ? ending : failed.reason();
            });
        } else if (event instanceof IdleStateEvent idle) {
            onLoop(() -> idle(idle));
        } else {
            super.userEventTriggered(context, event);
        }
    }

    private void idle(IdleStateEvent beat) {
        if (beat.state() == IdleState.READER_IDLE) {
            silentBeats = beat.isFirst() ? 1 : silentBeats + 1;
            if (greeted && silentBeats >= silentBeatsAllowed) {
                listener.silent(this, "it sent nothing for " + ControlFailures.seconds(silenceTimeout));
            }
        } else if (greeted && outgoing.isEmpty()) {
            send(new ControlMessage.Alive());
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        boolean told = onLoop(() -> {
            closing = true;
            outgoing.release();
            listener.ended(this, ending);
        });
        if (!told) {
            outgoing.release();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        Throwable root = cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause;
        onLoop(() -> failed(root));
    }

    private void failed(Throwable cause) {
        if (cause instanceof WireException) {
            close("it broke the protocol: " + cause.getMessage());
        } else if (cause instanceof IOException) {
            close("its process ended or its network broke (" + Sockets.trouble(cause) + ")");
        } else {
            LOG.error("cannot go on with {}", this, cause);
            close("its message could not be handled: " + cause);
        }
    }

    @Override
    public String toString() {
        return peer;
    }
}
