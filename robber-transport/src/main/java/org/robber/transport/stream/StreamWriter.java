package org.robber.transport.stream;

import static com.google.common.base.Preconditions.checkArgument;

import java.nio.ByteBuffer;
import java.nio.channels.NonReadableChannelException;
import java.util.ArrayDeque;
import java.util.Queue;
import org.robber.Communicator;
import org.robber.MulticastStream;
import org.robber.Operation;
import org.robber.StreamOptions;

/** A stream at its root. */
public final class StreamWriter implements MulticastStream {
    /** As many chunks are under way as a communicator runs at once. */
    private static final int CHUNKS_UNDER_WAY = ChunkSize.CHUNKS_PER_WINDOW - 1;

    private final Communicator nodes;
    private final Queue<Sent> underWay = new ArrayDeque<>();
    private final ChunkSize size;
    private ByteBuffer chunk;
    private long lastPassedNanos = System.nanoTime();
    private boolean open = true;

    /**
     * A chunk, whose memory is used again when every node has it.
     *
     * @param isFull whether it was not flushed before; else its time does not tell the rate of the stream
     */
    private record Sent(ByteBuffer chunk, boolean isFull, Operation<Void> operation) {}

    /** @param nodes a communicator that no one else uses, with this node as the root */
    public StreamWriter(Communicator nodes, StreamOptions options) {
        this.nodes = nodes;
        this.size = ChunkSize.of(options);
        this.chunk = newChunk();
    }

    @Override
    public int write(ByteBuffer source) {
        checkOpen();
        int bytes = source.remaining();
        while (source.hasRemaining()) {
            int next = Math.min(source.remaining(), chunk.remaining());
            chunk.put(chunk.position(), source, source.position(), next).position(chunk.position() + next);
            source.position(source.position() + next);
            if (!chunk.hasRemaining()) {
                send();
            }
        }
        return bytes;
    }

    @Override
    public void flush() {
        checkOpen();
        sendRest();
    }

    private void checkOpen() {
        if (!open) {
            throw new IllegalStateException("the stream is closed");
        }
    }

    private void sendRest() {
        if (chunk.position() > 0) {
            send();
        }
    }

    private void send() {
        boolean isFull = !chunk.hasRemaining();
        chunk.flip();
        nodes.iBcast(new int[] {chunk.remaining()}, nodes.rank());
        underWay.add(new Sent(chunk, isFull, nodes.iBcast(chunk, nodes.rank())));
        chunk = underWay.size() < CHUNKS_UNDER_WAY ? newChunk() : oldest();
    }

    private ByteBuffer newChunk() {
        return ByteBuffer.allocateDirect(size.roomBytes()).limit(size.bytes());
    }

    /** The memory of the oldest chunk, once every node has it; or more, or less of it. */
    private ByteBuffer oldest() {
        Sent oldest = underWay.remove();
        oldest.operation.await();
        long now = System.nanoTime();
        if (oldest.isFull) {
            size.passed(oldest.chunk.limit(), now - lastPassedNanos);
        }
        lastPassedNanos = now;
        return oldest.chunk.capacity() < size.bytes()
                ? newChunk()
                : oldest.chunk.clear().limit(size.bytes());
    }

    @Override
    public int read(ByteBuffer target) {
        throw new NonReadableChannelException();
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public void abort(String why) {
        checkArgument(why != null, "why is null");
        if (open) {
            open = false;
            byte[] text = AbortText.toBytes(why);
            nodes.iBcast(new int[] {AbortText.mark(text)}, nodes.rank());
            nodes.bcast(text, nodes.rank());
            end();
        }
    }

    @Override
    public void close() {
        if (open) {
            open = false;
            sendRest();
            nodes.bcast(new int[] {0}, nodes.rank());
            end();
        }
    }

    private void end() {
        while (!underWay.isEmpty()) {
            oldest();
        }
        nodes.close();
    }
}
