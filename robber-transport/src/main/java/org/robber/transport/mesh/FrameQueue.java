package org.robber.transport.mesh;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;

/**
 * Writes the frames of all threads to a channel in the order in which they were added. A channel by itself writes frames of its event
 * loop before earlier ones of other threads, and the peer's count of received frames would then stand for other frames.
 */
final class FrameQueue {
    private final Channel channel;
    private final Queue<ByteBuffer> frames = new ConcurrentLinkedQueue<>();
    private final Runnable drain = this::drain;

    FrameQueue(Channel channel) {
        this.channel = channel;
    }

    /** Any thread may call this; the caller's lock gives the order. Frames for a closed channel are dropped. */
    void add(ByteBuffer frame) {
        frames.add(frame);
        if (channel.eventLoop().inEventLoop()) {
            drain();
        } else {
            try {
                channel.eventLoop().execute(drain);
            } catch (RejectedExecutionException e) {
                channel.close();
            }
        }
    }

    private void drain() {
        boolean wrote = false;
        for (ByteBuffer frame = frames.poll(); frame != null; frame = frames.poll()) {
            channel.write(Unpooled.wrappedBuffer(frame.duplicate()), channel.voidPromise());
            wrote = true;
        }
        if (wrote) {
            channel.flush();
        }
    }
}
