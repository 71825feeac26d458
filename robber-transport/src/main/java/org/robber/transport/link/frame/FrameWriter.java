package org.robber.transport.link.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.robber.core.protocol.Message;
import org.robber.core.protocol.Message.PieceBlock;
import org.robber.core.wire.MessageCodec;

/**
 * Writes frames to a connection; they leave with the next {@link #flush}. Frames that leave together share a buffer, since most have a
 * dozen bytes, and a buffer for each is expensive. Belongs to the connection's event loop.
 */
public final class FrameWriter {
    /** How long a message that is not urgent may wait for others: sent alone, a small message costs as much as a block of a piece. */
    private static final long PATIENCE_NANOS = 10_000_000;

    /** Room for some dozens of small messages, or the heads of blocks. */
    private static final int SHARED_BYTES = 512;

    private final Channel channel;
    private final ReadGate gate;

    /** Frames that the channel has not been given yet. */
    private @Nullable ByteBuf frames;

    private boolean flushDue;
    private boolean unhurriedWaits;
    private boolean lateFlushDue;
    private long lastFlushNanos;
    private boolean written;
    private long messages;
    private long messageBytes;

    /** @param gate told of the bytes of messages that are written, and of those that have left */
    public FrameWriter(Channel channel, ReadGate gate) {
        this.channel = channel;
        this.gate = gate;
        this.lastFlushNanos = channel.eventLoop().ticker().nanoTime() - PATIENCE_NANOS;
    }

    public EventLoop eventLoop() {
        return channel.eventLoop();
    }

    /** Writes a message, which leaves with the next {@link #flush}. */
    public void write(Message message, MessageCodec codec) {
        encode(message, codec);
        flushDue = true;
    }

    /** Writes a message that may wait for others; it leaves with the next {@link #flush} if nothing has left lately. */
    public void writeUnhurried(Message message, MessageCodec codec) {
        encode(message, codec);
        unhurriedWaits = true;
        long waitNanos =
                lastFlushNanos + PATIENCE_NANOS - channel.eventLoop().ticker().nanoTime();
        if (waitNanos <= 0) {
            flushDue = true;
        } else if (!lateFlushDue) {
            lateFlushDue = true;
            channel.eventLoop().schedule(this::flushLate, waitNanos, TimeUnit.NANOSECONDS);
        }
    }

    private void flushLate() {
        lateFlushDue = false;
        flushDue |= unhurriedWaits;
        flush();
    }

    private void encode(Message message, MessageCodec codec) {
        int bytes = codec.encodedBytes(message);
        ByteBuf room = roomFor(bytes);
        int start = room.writerIndex();
        codec.encode(message, room.internalNioBuffer(start, bytes));
        room.writerIndex(start + bytes);
        gate.written(bytes);
        messages++;
        messageBytes += bytes;
        written = true;
    }

    private ByteBuf roomFor(int bytes) {
        ByteBuf room = frames;
        if (room == null || room.writableBytes() < bytes) {
            handOver();
            int capacity = Math.max(bytes, SHARED_BYTES);
            room = channel.alloc().ioBuffer(capacity, capacity);
            frames = room;
        }
        return room;
    }

    private void handOver() {
        ByteBuf full = frames;
        if (full != null) {
            frames = null;
            int bytes = full.readableBytes();
            channel.write(full).addListener(gone -> gate.left(bytes));
        }
    }

    /** Writes the head of a block and the block. */
    public ChannelFuture writeBlock(PieceBlock head, Object bytes, MessageCodec codec) {
        write(head, codec);
        handOver();
        return channel.write(bytes);
    }

    /** Lets everything written leave. */
    public void flush() {
        if (flushDue) {
            flushDue = false;
            unhurriedWaits = false;
            lastFlushNanos = channel.eventLoop().ticker().nanoTime();
            handOver();
            channel.flush();
        }
    }

    /** Lets everything written leave, and then tells the other side that nothing more comes. Nothing may be written any more. */
    public void finish() {
        handOver();
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(gone -> {
            if (channel instanceof SocketChannel socket) {
                socket.shutdownOutput();
            }
        });
    }

    /** Nothing more leaves; nothing may be written any more. */
    public void close() {
        ByteBuf unsent = frames;
        if (unsent != null) {
            frames = null;
            unsent.release();
        }
    }

    /** Whether anything was written since {@link #forgetWritten}. */
    public boolean hasWritten() {
        return written;
    }

    /** From now on, {@link #hasWritten} tells of later writes alone. */
    public void forgetWritten() {
        written = false;
    }

    /** What was written since this was last asked. */
    public MessagesSent takeMessages() {
        MessagesSent sent = new MessagesSent(messages, messageBytes);
        messages = 0;
        messageBytes = 0;
        return sent;
    }
}
