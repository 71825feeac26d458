package org.robber.transport.link;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import org.robber.core.protocol.Message;
import org.robber.core.protocol.Message.PieceBlock;
import org.robber.core.wire.MessageCodec;

/** Writes frames to a connection; they leave with the next {@link #flush}. Belongs to the connection's event loop. */
final class FrameWriter {
    private final Channel channel;
    private boolean flushDue;
    private boolean written;
    private long controlBytes;

    FrameWriter(Channel channel) {
        this.channel = channel;
    }

    EventLoop eventLoop() {
        return channel.eventLoop();
    }

    void write(Message message, MessageCodec codec) {
        int bytes = codec.encodedBytes(message);
        ByteBuf frame = channel.alloc().ioBuffer(bytes, bytes);
        codec.encode(message, frame.internalNioBuffer(0, bytes));
        channel.write(frame.writerIndex(bytes), channel.voidPromise());
        controlBytes += bytes;
        flushDue = true;
        written = true;
    }

    /** Writes the head of a block and the block. */
    ChannelFuture writeBlock(PieceBlock head, Object bytes, MessageCodec codec) {
        write(head, codec);
        return channel.write(bytes);
    }

    /** Lets everything written leave. */
    void flush() {
        if (flushDue) {
            flushDue = false;
            channel.flush();
        }
    }

    /** Whether anything was written since {@link #forgetWritten}. */
    boolean hasWritten() {
        return written;
    }

    void forgetWritten() {
        written = false;
    }

    /** Bytes written, since this was last asked, that are not bytes of pieces. */
    long takeControlBytes() {
        long bytes = controlBytes;
        controlBytes = 0;
        return bytes;
    }
}
