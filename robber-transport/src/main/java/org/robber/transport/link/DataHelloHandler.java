package org.robber.transport.link;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import java.nio.ByteBuffer;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.robber.core.protocol.ControlMessage;
import org.robber.core.protocol.ControlMessage.DataHello;
import org.robber.core.wire.ControlCodec;
import org.robber.core.wire.WireException;
import org.robber.transport.security.GreetingDone;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exchanges the two {@link DataHello}s that follow the greeting, then stops reading and leaves the pipeline to the
 * connection's owner.
 */
final class DataHelloHandler extends LengthFieldBasedFrameDecoder {
    private static final Logger LOG = LoggerFactory.getLogger(DataHelloHandler.class);
    private static final int MAX_FRAME_BYTES = 4 << 10;
    private static final int LENGTH_BYTES = 4;

    private final BiConsumer<DataHello, Consumer<DataHello>> heard;
    private @Nullable DataHello first;

    /** @param heard told the other side's hello, and how to answer it */
    DataHelloHandler(BiConsumer<DataHello, Consumer<DataHello>> heard) {
        super(MAX_FRAME_BYTES, 0, LENGTH_BYTES, 0, LENGTH_BYTES);
        this.heard = heard;
    }

    /** On the connecting side: what to say when the greeting is over. */
    DataHelloHandler first(DataHello hello) {
        first = hello;
        return this;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        DataHello hello = first;
        if (event instanceof GreetingDone && hello != null) {
            say(context, hello);
        }
        super.userEventTriggered(context, event);
    }

    @Override
    protected @Nullable Object decode(ChannelHandlerContext context, ByteBuf input) throws Exception {
        ByteBuf frame = (ByteBuf) super.decode(context, input);
        if (frame == null) {
            return null;
        }
        try {
            ByteBuffer payload = frame.nioBuffer();
            ControlMessage message = ControlCodec.decode(payload.get() & 0xFF, payload);
            if (message instanceof DataHello hello) {
                // Nothing more may be read before the owner's handlers are in place.
                context.channel().config().setAutoRead(false);
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

    private static void refuse(ChannelHandlerContext context, String why) {
        LOG.warn("closed the connection with {}: {}", context.channel().remoteAddress(), why);
        context.close();
    }
}
