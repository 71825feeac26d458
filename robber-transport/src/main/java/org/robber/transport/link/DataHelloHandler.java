package org.robber.transport.link;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.robber.core.wire.WireError;
import org.robber.core.wire.WireException;
import org.robber.transport.control.ControlCodec;
import org.robber.transport.control.ControlMessage;
import org.robber.transport.control.ControlMessage.DataHello;
import org.robber.transport.security.GreetingDone;
import org.robber.transport.security.GreetingFailed;

/**
 * Exchanges the two {@link DataHello}s that follow the greeting, then stops reading and leaves the pipeline to the
 * connection's owner. Closes the connection if the greeting or the hello fails.
 */
final class DataHelloHandler extends LengthFieldBasedFrameDecoder {
    private static final int MAX_FRAME_BYTES = 4 << 10;
    private static final int LENGTH_BYTES = 4;

    /** Limit for the first hello, as long as for the greeting. */
    private static final long LIMIT_SECONDS = 10;

    private final BiConsumer<DataHello, Consumer<DataHello>> heard;
    private final Consumer<GreetingFailed> failed;
    private @Nullable DataHello first;
    private @Nullable ScheduledFuture<?> limit;
    private boolean over;

    /**
     * @param heard told the other side's hello, and how to answer it
     * @param failed told, before the connection is closed, why there is no hello
     */
    DataHelloHandler(BiConsumer<DataHello, Consumer<DataHello>> heard, Consumer<GreetingFailed> failed) {
        super(MAX_FRAME_BYTES, 0, LENGTH_BYTES, 0, LENGTH_BYTES);
        this.heard = heard;
        this.failed = failed;
    }

    /** On the connecting side: the hello to send when the greeting is over. */
    DataHelloHandler first(DataHello hello) {
        first = hello;
        return this;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        DataHello hello = first;
        if (event instanceof GreetingFailed failure) {
            failed.accept(failure);
        } else if (event instanceof GreetingDone && hello != null) {
            // The answer may take until the connect timeout: the other side may not know the roster yet.
            say(context, hello);
        } else if (event instanceof GreetingDone) {
            limit = context.executor()
                    .schedule(
                            () -> refuse(context, "no hello within " + LIMIT_SECONDS + " s"),
                            LIMIT_SECONDS,
                            TimeUnit.SECONDS);
        }
        super.userEventTriggered(context, event);
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
            if (message instanceof DataHello hello) {
                over = true;
                // Nothing more may be read before the owner's handlers are in place.
                context.channel().config().setAutoRead(false);
                context.pipeline().addLast(new EarlyBytes());
                context.pipeline().remove(this);
                heard.accept(hello, answer -> say(context, answer));
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

    private static void say(ChannelHandlerContext context, DataHello hello) {
        ByteBuffer frame = ControlCodec.encode(hello);
        context.channel()
                .writeAndFlush(Unpooled.wrappedBuffer(frame), context.channel().voidPromise());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        refuse(context, String.valueOf(cause.getMessage()));
    }

    private void refuse(ChannelHandlerContext context, String why) {
        if (!over) {
            over = true;
            failed.accept(new GreetingFailed(GreetingFailed.Kind.NO_NODE, why));
            context.close();
        }
    }
}
