package org.robber.transport.link;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.ByteBuffer;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.robber.core.protocol.Message.PieceBlock;
import org.robber.core.protocol.MessageType;
import org.robber.core.wire.FrameHead;
import org.robber.core.wire.MessageCodec;
import org.robber.core.wire.WireException;

/**
 * Cuts the bytes of a connection into frames: small messages are decoded, the bytes of blocks go to the place that the
 * sink names, most of them without a copy (see {@link PlacedReceive}). Stops reading while there is no place for a block, and while the
 * sink takes no messages. Belongs to the connection's event loop.
 */
final class FrameReader extends ChannelInboundHandlerAdapter {
    /** Below this the copy is cheaper than a read of its own. */
    private static final int PLACED_AT_LEAST_BYTES = 2048;

    private final FrameSink sink;
    private final ByteBuffer head = ByteBuffer.allocate(FrameHead.BYTES);
    private final ByteBuffer smallPayload = ByteBuffer.allocate(256);

    private int typeCode;
    private int payloadBytes;
    private @Nullable ByteBuffer payload;

    private @Nullable PieceBlock block;
    private @Nullable ByteBuf blockBytes;
    private int blockBytesLeft;
    private boolean waiting;
    private boolean paused;

    private @Nullable ByteBuf placed;
    private @Nullable ByteBuf held;
    private boolean broken;
    private boolean heard;
    private long heardBytes;
    private long readBytes;
    private @Nullable ContextReader reader;
    private @Nullable ChannelHandlerContext ownContext;

    FrameReader(FrameSink sink) {
        this.sink = sink;
    }

    /** The room for the rest of the block that is being received, or null. */
    @Nullable
    ByteBuf place() {
        placed = null;
        ByteBuf bytes = blockBytes;
        if (bytes != null && blockBytesLeft >= PLACED_AT_LEAST_BYTES && !waiting) {
            placed = bytes.retainedSlice(bytes.writerIndex(), blockBytesLeft).writerIndex(0);
        }
        return placed;
    }

    /** Whether anything came since this was last asked; also true if nothing could, because the connection is not read. */
    boolean takeHeard() {
        boolean any = heard || isStopped();
        heard = false;
        return any;
    }

    /** Bytes that have come so far, without keep-alives. */
    long heardBytes() {
        return heardBytes;
    }

    /** Bytes that have come so far. */
    long readBytes() {
        return readBytes;
    }

    /** Whether the connection is not read now: there is no place for a block, or the sink takes no messages. */
    boolean isStopped() {
        return waiting || paused;
    }

    /** The sink may take messages again. */
    void resume() {
        ChannelHandlerContext context = ownContext;
        if (context != null && paused && sink.mayRead()) {
            paused = false;
            if (!waiting) {
                readOn(context);
            }
        }
    }

    /** Begins to read, or goes on. */
    void start() {
        ChannelHandlerContext context = ownContext;
        if (context != null) {
            context.channel().config().setAutoRead(!isStopped());
        }
    }

    /** Drops all bytes that come from now on, so that the connection can end in order. */
    void discard() {
        broken = true;
        blockBytes = null;
        blockBytesLeft = 0;
        releaseHeld();
        ChannelHandlerContext context = ownContext;
        if (context != null) {
            context.channel().config().setAutoRead(true);
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        ownContext = context;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // it is this very buffer that was read into, not one with equal bytes
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf input = (ByteBuf) message;
        heard = true;
        heardBytes += input.readableBytes();
        readBytes += input.readableBytes();
        try {
            if (input == placed) {
                placed = null;
                ByteBuf bytes = blockBytes;
                if (bytes != null) {
                    bytes.writerIndex(bytes.writerIndex() + input.readableBytes());
                    advanceBlock(input.readableBytes());
                }
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
                if (blockBytesLeft > 0) {
                    readBlock(input);
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
            block = sink.codec().decodePieceHead(payloadBytes, target);
            findPlace(context);
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

    private void findPlace(ChannelHandlerContext context) {
        PieceBlock arriving = block;
        if (arriving == null) {
            return;
        }
        ContextReader by = reader;
        if (by == null) {
            by = new ContextReader(context);
            reader = by;
        }
        BlockPlace place = sink.placeFor(arriving, by);
        waiting = place == BlockPlace.WAIT;
        if (waiting) {
            context.channel().config().setAutoRead(false);
            return;
        }
        blockBytes = place.bytes();
        blockBytesLeft = arriving.lengthBytes();
    }

    /** There may be a place now. */
    private void goOn(ChannelHandlerContext context) {
        if (!waiting || broken) {
            return;
        }
        findPlace(context);
        if (!isStopped()) {
            readOn(context);
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

    private void readBlock(ByteBuf input) {
        int bytes = Math.min(input.readableBytes(), blockBytesLeft);
        ByteBuf target = blockBytes;
        if (target == null) {
            input.skipBytes(bytes);
        } else {
            target.writeBytes(input, bytes);
        }
        advanceBlock(bytes);
    }

    private void advanceBlock(int bytes) {
        blockBytesLeft -= bytes;
        PieceBlock arrived = block;
        if (blockBytesLeft == 0 && arrived != null) {
            boolean wanted = blockBytes != null;
            block = null;
            blockBytes = null;
            if (wanted) {
                sink.blockReceived(arrived);
            }
        }
    }

    /** Brings calls about places to the connection's event loop. */
    private final class ContextReader implements BlockReader {
        private final ChannelHandlerContext context;

        ContextReader(ChannelHandlerContext context) {
            this.context = context;
        }

        @Override
        public void resume() {
            try {
                context.executor().execute(() -> goOn(context));
            } catch (RejectedExecutionException e) {
                // The loop has ended, and the connection with it.
            }
        }

        @Override
        @SuppressWarnings("ReferenceEquality") // this very place
        public void leave(ByteBuf bytes, Runnable left) {
            if (context.executor().inEventLoop()) {
                if (blockBytes == bytes) {
                    blockBytes = null;
                }
                left.run();
                return;
            }
            try {
                context.executor().execute(() -> leave(bytes, left));
            } catch (RejectedExecutionException e) {
                // Nobody reads any more.
                left.run();
            }
        }
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
