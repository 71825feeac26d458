package org.robber.cli.launch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/** The standard input of the process that started this node, as it comes in frames through a {@link ParentLink}. One thread reads it. */
final class ForwardedInput implements ReadableByteChannel {
    private static final int FRAMES_AHEAD = 8;

    private final BlockingQueue<Frame> frames = new ArrayBlockingQueue<>(FRAMES_AHEAD);
    private @Nullable Frame current;

    /**
     * A part of the input.
     *
     * @param bytes none at the end
     * @param problem why there is no more, or null
     */
    private record Frame(ByteBuffer bytes, @Nullable String problem) {}

    /** Adds what comes next; none is the end. Waits while there is enough to read. */
    void add(byte[] bytes) throws InterruptedException {
        frames.put(new Frame(ByteBuffer.wrap(bytes), null));
    }

    /** The input cannot be read any further. */
    void fail(String problem) throws InterruptedException {
        frames.put(new Frame(ByteBuffer.allocate(0), problem));
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        Frame frame = current == null ? next() : current;
        current = frame;
        ByteBuffer bytes = frame.bytes();
        if (frame.problem() != null) {
            throw new IOException(frame.problem());
        }
        if (!bytes.hasRemaining()) {
            return -1;
        }
        int count = Math.min(target.remaining(), bytes.remaining());
        target.put(bytes.slice().limit(count));
        bytes.position(bytes.position() + count);
        if (!bytes.hasRemaining()) {
            current = null;
        }
        return count;
    }

    private Frame next() throws IOException {
        try {
            return frames.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void close() {
        // the link is closed by the process at its other end
    }
}
