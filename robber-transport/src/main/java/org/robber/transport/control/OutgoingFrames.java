package org.robber.transport.control;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.WriteBufferWaterMark;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import org.robber.transport.sockets.Sockets;

/**
 * The frames that a control connection has still to send. They are sent in parts, each when the one before has left: so a connection that nobody reads
 * holds one part, and shares the rest with other connections. Methods are for any thread; the state belongs to the connection's event loop.
 */
public final class OutgoingFrames {
    /** A part of a message that is handed to the connection at once: it may be encrypted, and so copied, before it can leave. */
    private static final int PART_BYTES = 1 << 13;

    private static final WriteBufferWaterMark WRITABLE_WHEN_EMPTY = new WriteBufferWaterMark(1, 1);

    private final Channel channel;
    private final Deque<ByteBuf> unsent = new ArrayDeque<>();
    private Iterator<ControlMessage> inTurn = Collections.emptyIterator();
    private boolean ended;

    OutgoingFrames(Channel channel) {
        this.channel = channel;
        channel.config().setWriteBufferWaterMark(WRITABLE_WHEN_EMPTY);
    }

    /** The message as a frame that can be sent over many connections, each of which gets a duplicate: its bytes are there once. */
    public static ByteBuf encode(ControlMessage message) {
        ByteBuffer frame = ControlCodec.encode(message);
        return PooledByteBufAllocator.DEFAULT.directBuffer(frame.remaining()).writeBytes(frame);
    }

    /** Sends a frame, and releases it. */
    void add(ByteBuf frame) {
        boolean there = runIn(() -> {
            if (ended) {
                frame.release();
            } else {
                unsent.add(frame);
                sendWhatFits();
            }
        });
        if (!there) {
            frame.release();
        }
    }

    /** Sends the message, unless others wait. */
    void addIfEmpty(ControlMessage message) {
        boolean unused = runIn(() -> {
            if (unsent.isEmpty() && !ended) {
                unsent.add(encode(message));
                sendWhatFits();
            }
        });
    }

    /** Sends these, each once all before it has left: however many they are, they take the memory of one. */
    void addInTurn(Iterator<ControlMessage> messages) {
        boolean unused = runIn(() -> {
            if (!ended) {
                inTurn = messages;
                sendWhatFits();
            }
        });
    }

    /** The messages in turn that have not been encoded are not sent. */
    void endTurn() {
        boolean unused = runIn(() -> inTurn = Collections.emptyIterator());
    }

    private boolean runIn(Runnable work) {
        if (channel.eventLoop().inEventLoop()) {
            work.run();
            return true;
        }
        return Sockets.runOn(channel.eventLoop(), work);
    }

    /** On the connection's event loop, whenever the connection may take more. */
    void sendWhatFits() {
        boolean any = false;
        while (channel.isWritable()) {
            ByteBuf next = unsent.peek();
            if (next == null && inTurn.hasNext()) {
                next = encode(inTurn.next());
                unsent.add(next);
            }
            if (next == null) {
                break;
            }
            boolean last = next.readableBytes() <= PART_BYTES;
            var unused =
                    channel.write(last ? unsent.remove() : next.readRetainedSlice(PART_BYTES), channel.voidPromise());
            any = true;
        }
        if (any) {
            channel.flush();
        }
    }

    /** The connection has ended: nothing is sent any more. On its event loop. */
    void release() {
        ended = true;
        inTurn = Collections.emptyIterator();
        unsent.forEach(ByteBuf::release);
        unsent.clear();
    }
}
