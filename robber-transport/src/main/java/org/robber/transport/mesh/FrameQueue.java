package org.robber.transport.mesh;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.robber.transport.link.pace.SendRate;

/**
 * Writes the frames of all threads to a channel in the order in which they were added. A channel by itself writes frames of its event
 * loop before earlier ones of other threads, and the peer's count of received frames would then stand for other frames.
 */
final class FrameQueue {
    /** Netty has buffers of this size outside of the heap to use again. */
    private static final int PORTION_BYTES = 64 << 10;

    private final Channel channel;
    private final SendRate rate;
    private final Queue<ByteBuffer> frames = new ConcurrentLinkedQueue<>();
    private final Runnable drain = this::drain;

    /** What is left of the frame that is being written. Of the event loop, as the next. */
    private ByteBuffer current = ByteBuffer.allocate(0);

    /** A portion waits for its time. */
    private boolean waiting;

    /** @param rate of frames that users have given */
    FrameQueue(Channel channel, SendRate rate) {
        this.channel = channel;
        this.rate = rate;
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
        if (!channel.isOpen()) {
            frames.clear();
            return;
        }
        boolean wrote = false;
        while (!waiting && hasMore()) {
            boolean limited = MeshCodec.isPersonal(current);
            int bytes = Math.min(limited ? rate.blockBytes(PORTION_BYTES) : PORTION_BYTES, current.remaining());
            long delayNanos = limited ? rate.reserve(bytes, System.nanoTime()) : 0;
            ByteBuffer portion = current.slice(current.position(), bytes);
            current.position(current.position() + bytes);
            if (delayNanos > 0) {
                writeLater(portion, delayNanos);
            } else {
                write(portion);
                wrote = true;
            }
        }
        if (wrote) {
            channel.flush();
        }
    }

    private boolean hasMore() {
        if (!current.hasRemaining()) {
            ByteBuffer next = frames.poll();
            current = next == null ? current : next.duplicate();
        }
        return current.hasRemaining();
    }

    private void write(ByteBuffer portion) {
        channel.write(Unpooled.wrappedBuffer(portion), channel.voidPromise());
    }

    private void writeLater(ByteBuffer portion, long delayNanos) {
        waiting = true;
        Runnable next = () -> {
            waiting = false;
            write(portion);
            channel.flush();
            drain();
        };
        try {
            var unused = channel.eventLoop().schedule(next, delayNanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            channel.close();
        }
    }
}
