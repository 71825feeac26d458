package org.robber.transport.control;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;

/**
 * The frames that a control connection has still to send. They are sent in parts, as fast as the other side reads them. Their bytes may be
 * shared with other connections. Belongs to the loop of the {@link ControlLink}.
 */
public final class OutgoingFrames {
    /** A part of a message that is handed to the connection at once: it may be encrypted, and so copied, before it can leave. */
    private static final int PART_BYTES = 1 << 14;

    private final Channel channel;
    private final Deque<ByteBuf> unsent = new ArrayDeque<>();
    private Iterator<ControlMessage> inTurn = Collections.emptyIterator();

    OutgoingFrames(Channel channel) {
        this.channel = channel;
    }

    /** The message as a frame that can be sent over many connections, each of which gets a duplicate: its bytes are there once. */
    public static ByteBuf encode(ControlMessage message) {
        ByteBuffer frame = ControlCodec.encode(message);
        return PooledByteBufAllocator.DEFAULT.directBuffer(frame.remaining()).writeBytes(frame);
    }

    boolean isEmpty() {
        return unsent.isEmpty();
    }

    /** Sends a frame, and releases it. */
    void add(ByteBuf frame) {
        unsent.add(frame);
        sendWhatFits();
    }

    /** Sends these, each once all before it has left: however many they are, they take the memory of one. */
    void addInTurn(Iterator<ControlMessage> messages) {
        inTurn = messages;
        sendWhatFits();
    }

    /** The messages in turn that have not been encoded are not sent. */
    void endTurn() {
        inTurn = Collections.emptyIterator();
    }

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

    /** The connection has ended: nothing is sent any more. */
    void release() {
        endTurn();
        unsent.forEach(ByteBuf::release);
        unsent.clear();
    }
}
