package org.robber.transport.reach;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.robber.core.wire.WireError;
import org.robber.core.wire.WireException;
import org.robber.transport.control.ControlCodec;
import org.robber.transport.control.ControlMessage;
import org.robber.transport.control.ControlType;
import org.robber.transport.security.GreetingDone;
import org.robber.transport.security.GreetingFailed;
import org.robber.transport.sockets.Sockets;

/**
 * Exchanges the first frames that follow the greeting, one from each side, then stops reading and leaves the pipeline to the connection's
 * owner. Closes the connection if the greeting or the frame fails.
 */
final class FirstFrameHandler extends LengthFieldBasedFrameDecoder {
    private static final int MAX_FRAME_BYTES = 16 << 10;
    private static final int LENGTH_BYTES = 4;

    /** Limit for the first frame of the connecting side, as long as for the greeting. */
    private static final long LIMIT_SECONDS = 10;

    private static final Set<ControlType> EXPECTED =
            Set.of(ControlType.DATA_HELLO, ControlType.BACK_HELLO, ControlType.RELAY, ControlType.REFUSE);

    private final Consumer<ControlMessage> heard;
    private final Consumer<GreetingFailed> failed;
    private @Nullable Supplier<@Nullable ControlMessage> first;
    private boolean greeted;
    private @Nullable ScheduledFuture<?> limit;
    private boolean over;

    /**
     * @param heard told the other side's frame, when nothing more is read; if this is the listening side, it answers by {@link #say}
     * @param failed told, before the connection is closed, why there is no frame
     */
    FirstFrameHandler(Consumer<ControlMessage> heard, Consumer<GreetingFailed> failed) {
        super(MAX_FRAME_BYTES, 0, LENGTH_BYTES, 0, LENGTH_BYTES);
        this.heard = heard;
        this.failed = failed;
    }

    /**
     * On the connecting side.
     *
     * @param message asked when the greeting is over: what to send; null if the connection is not wanted any more
     */
    FirstFrameHandler first(Supplier<@Nullable ControlMessage> message) {
        first = message;
        return this;
    }

    /** For a connection whose greeting is over. */
    FirstFrameHandler afterGreeting() {
        greeted = true;
        return this;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) throws Exception {
        super.handlerAdded(context);
        if (greeted) {
            begin(context);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        if (event instanceof GreetingFailed failure) {
            failed.accept(failure);
        } else if (event instanceof GreetingDone) {
            begin(context);
        }
        super.userEventTriggered(context, event);
    }

    private void begin(ChannelHandlerContext context) {
        Supplier<@Nullable ControlMessage> source = first;
        if (source == null) {
            limit = context.executor()
                    .schedule(
                            () -> refuse(context, "no hello within " + LIMIT_SECONDS + " s"),
                            LIMIT_SECONDS,
                            TimeUnit.SECONDS);
            return;
        }
        ControlMessage message = source.get();
        if (message == null) {
            over = true;
            context.close();
        } else {
            // The answer may take until the connect timeout: the other side may not know the roster yet.
            say(context.channel(), message);
        }
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext context) {
        if (limit != null) {
            limit.cancel(false);
        }
    }

    @Override
    protected @Nullable Object decode(ChannelHandlerContext context, ByteBuf input) throws Exception {
        ByteBuf frame = (ByteBuf) super.decode(context, input);
        if (frame == null || over) {
            ReferenceCountUtil.release(frame);
            return null;
        }
        try {
            ByteBuffer payload = frame.nioBuffer();
            if (!payload.hasRemaining()) {
                throw new WireException(WireError.TRUNCATED, "an empty frame");
            }
            ControlMessage message = ControlCodec.decode(payload.get() & 0xFF, payload);
            if (EXPECTED.contains(ControlType.of(message))) {
                over = true;
                // Nothing more may be read before the owner's handlers are in place.
                context.channel().config().setAutoRead(false);
                context.pipeline().addLast(new HandOver.EarlyBytes());
                context.pipeline().remove(this);
                heard.accept(message);
            } else {
                refuse(context, "its first frame is a " + message.getClass().getSimpleName());
            }
        } catch (WireException e) {
            refuse(context, String.valueOf(e.getMessage()));
        } finally {
            frame.release();
        }
        return null;
    }

    /** Sends a first frame. */
    static void say(Channel channel, ControlMessage message) {
        ByteBuffer frame = ControlCodec.encode(message);
        channel.writeAndFlush(Unpooled.wrappedBuffer(frame), channel.voidPromise());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        fail(
                context,
                cause instanceof IOException ? GreetingFailed.Kind.LEFT : GreetingFailed.Kind.NO_NODE,
                Sockets.trouble(cause));
    }

    private void refuse(ChannelHandlerContext context, String why) {
        fail(context, GreetingFailed.Kind.NO_NODE, why);
    }

    private void fail(ChannelHandlerContext context, GreetingFailed.Kind kind, String why) {
        if (!over) {
            over = true;
            failed.accept(new GreetingFailed(kind, why));
            context.close();
        }
    }
}
