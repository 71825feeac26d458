package org.robber.transport.link.frame;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.robber.core.protocol.MessageType;
import org.robber.core.wire.FrameHead;
import org.robber.core.wire.MessageCodec;
import org.robber.core.wire.WireException;

/**
 * Cuts the bytes of a connection into frames: small messages are decoded, the bytes of blocks go to the place that the
 * sink names, most of them without a copy (see {@link org.robber.transport.reach.PlacedReceive}). Stops reading while there is no place for a block, and while the
 * sink takes no messages. Belongs to the connection's event loop.
 */
public final class FrameReader extends ChannelInboundHandlerAdapter {
    private final FrameSink sink;
    private final IncomingBlock incoming;
    private final ByteBuffer head = ByteBuffer.allocate(FrameHead.BYTES);
    private final ByteBuffer smallPayload = ByteBuffer.allocate(256);

    private int typeCode;
    private int payloadBytes;
    private @Nullable ByteBuffer payload;

    private volatile boolean paused;

    private @Nullable ByteBuf held;
    private boolean broken;
    private boolean heard;
    private long heardBytes;
    private final AtomicLong readBytes = new AtomicLong();
    private @Nullable ChannelHandlerContext ownContext;

    public FrameReader(FrameSink sink) {
        this.sink = sink;
        this.incoming = new IncomingBlock(sink, this::placeMayBeFree);
    }

    /** The room for the rest of the block that is being received, or null. */
    @Nullable
    public ByteBuf place() {
        return incoming.place();
    }

    /** Whether anything came since this was last asked; also true if nothing could, because the connection is not read. */
    public boolean takeHeard() {
        boolean any = heard || isStopped();
        heard = false;
        return any;
    }

    /** Bytes that have come so far, without keep-alives. */
    public long heardBytes() {
        return heardBytes;
    }

    /** Bytes that have come so far. Any thread. */
    public long readBytes() {
        return readBytes.get();
    }

    /** Whether the connection is not read now: there is no place for a block, or the sink takes no messages. Any thread. */
    public boolean isStopped() {
        return incoming.isWaiting() || paused;
    }

    /** The sink may take messages again. */
    public void resume() {
        ChannelHandlerContext context = ownContext;
        if (context != null && paused && sink.mayRead()) {
            paused = false;
            goOn(context);
        }
    }

    /** Begins to read, or goes on. */
    public void start() {
        ChannelHandlerContext context = ownContext;
        if (context != null) {
            context.channel().config().setAutoRead(!isStopped());
        }
    }

    /** Drops all bytes that come from now on, so that the connection can end in order. */
    public void discard() {
        broken = true;
        incoming.discard();
        releaseHeld();
        ChannelHandlerContext context = ownContext;
        if (context != null) {
            context.channel().config().setAutoRead(true);
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        ownContext = context;
        incoming.readBy(context.executor());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf input = (ByteBuf) message;
        heard = true;
        heardBytes += input.readableBytes();
        // Only this thread adds, and others need no exact moment.
        readBytes.lazySet(readBytes.get() + input.readableBytes());
        try {
            if (incoming.takePlaced(input)) {
                return;
            }
            ByteBuf earlier = held;
            if (earlier == null) {
                read(context, input);
            } else {
                earlier.writeBytes(input);
            }
        } finally {
            input.release();
        }
    }

    /** Reads frames until the input ends, the connection turns out broken, or there is no place for a block. */
    private void read(ChannelHandlerContext context, ByteBuf input) {
        try {
            while (!broken && !isStopped() && input.isReadable()) {
                if (incoming.isIncomplete()) {
                    incoming.read(input);
                } else if (payload != null) {
                    readPayload(context, input, payload);
                } else {
                    readHead(context, input);
                }
            }
        } catch (WireException e) {
            broken = true;
            sink.violated(String.valueOf(e.getMessage()));
        }
        if (!broken && isStopped() && input.isReadable() && held == null) {
            held = context.alloc().buffer(input.readableBytes()).writeBytes(input);
        }
    }

    private void readHead(ChannelHandlerContext context, ByteBuf input) {
        move(input, head);
        if (head.hasRemaining()) {
            return;
        }
        head.flip();
        int lengthField = head.getInt();
        typeCode = head.get() & 0xFF;
        head.clear();
        MessageCodec codec = sink.codec();
        payloadBytes = codec.payloadBytes(lengthField, typeCode);
        int bytesToDecode = isBlock() ? Math.min(payloadBytes, codec.pieceHeadBytes()) : payloadBytes;
        payload = bytesToDecode <= smallPayload.capacity()
                ? smallPayload.clear().limit(bytesToDecode)
                : ByteBuffer.allocate(bytesToDecode);
        if (bytesToDecode == 0) {
            readPayload(context, input, payload);
        }
    }

    private void readPayload(ChannelHandlerContext context, ByteBuf input, ByteBuffer target) {
        move(input, target);
        if (target.hasRemaining()) {
            return;
        }
        payload = null;
        target.flip();
        if (isBlock()) {
            incoming.begin(sink.codec().decodePieceHead(payloadBytes, target));
            if (incoming.isWaiting()) {
                context.channel().config().setAutoRead(false);
            }
        } else {
            if (typeCode == MessageType.KEEP_ALIVE.code()) {
                heardBytes -= FrameHead.BYTES + payloadBytes;
            }
            sink.received(sink.codec().decode(typeCode, target));
            if (!broken && !sink.mayRead()) {
                paused = true;
                context.channel().config().setAutoRead(false);
            }
        }
    }

    private boolean isBlock() {
        return typeCode == MessageType.PIECE.code();
    }

    private void placeMayBeFree() {
        ChannelHandlerContext context = ownContext;
        if (context == null || !incoming.isWaiting() || broken) {
            return;
        }
        goOn(context);
    }

    /** Reads on, if nothing stops it then. A failure would only be logged by the event loop, and the connection never be read again. */
    private void goOn(ChannelHandlerContext context) {
        try {
            if (incoming.isWaiting()) {
                incoming.findPlace();
            }
            if (!isStopped()) {
                readOn(context);
            }
        } catch (RuntimeException | Error e) {
            context.fireExceptionCaught(e);
        }
    }

    private void readOn(ChannelHandlerContext context) {
        ByteBuf input = held;
        held = null;
        if (input != null) {
            try {
                read(context, input);
            } finally {
                input.release();
            }
        }
        start();
    }

    private static void move(ByteBuf input, ByteBuffer target) {
        int limit = target.limit();
        target.limit(target.position() + Math.min(target.remaining(), input.readableBytes()));
        input.readBytes(target);
        target.limit(limit);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        broken = true;
        releaseHeld();
    }

    private void releaseHeld() {
        if (held != null) {
            held.release();
            held = null;
        }
    }
}
