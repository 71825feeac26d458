package org.robber.cli.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.report.FileFailure;
import org.robber.transport.memory.AlignedMemory;

/**
 * Reads a stream ahead, on a thread of its own. A chunk is what has come since the last one. While the network is slower than the
 * stream, chunks grow as far as there is memory. While it is faster, nothing waits for more.
 */
public final class StreamSource {
    private static final int READ_BYTES = 256 << 10;

    private final String name;
    private final Opener<ReadableByteChannel> opener;
    private ByteBuffer filling;
    private boolean ended;
    private @Nullable RobberException failure;

    private StreamSource(String name, Opener<ReadableByteChannel> opener, ByteBuffer first) {
        this.name = name;
        this.opener = opener;
        this.filling = first;
    }

    /**
     * Opens a stream, and begins to read.
     *
     * @param name of the stream, for errors
     * @param first filled first
     */
    public static StreamSource start(String name, Opener<ReadableByteChannel> opener, ByteBuffer first) {
        StreamSource source = new StreamSource(name, opener, first);
        Thread thread = new Thread(source::readAll, "stream-source");
        thread.setDaemon(true);
        thread.start();
        return source;
    }

    private void readAll() {
        try (ReadableByteChannel input = opener.open()) {
            ByteBuffer bytes = AlignedMemory.allocateDirect(READ_BYTES);
            while (input.read(bytes.clear()) >= 0) {
                add(bytes.flip());
            }
            end();
        } catch (IOException | RuntimeException | Error e) {
            fail(new RobberException(
                    Reason.SOURCE,
                    List.of(),
                    "transfer",
                    "cannot read " + name + " any further: " + FileFailure.text(e)
                            + "; the copies of what came before are removed",
                    e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void add(ByteBuffer bytes) throws InterruptedException {
        while (bytes.hasRemaining()) {
            while (!filling.hasRemaining()) {
                wait();
            }
            int count = Math.min(bytes.remaining(), filling.remaining());
            filling.put(filling.position(), bytes, bytes.position(), count).position(filling.position() + count);
            bytes.position(bytes.position() + count);
            notifyAll();
        }
    }

    private synchronized void end() {
        ended = true;
        notifyAll();
    }

    /** The stream has no more chunks, because of this. The first failure counts. */
    public synchronized void fail(RobberException why) {
        if (failure == null) {
            failure = why;
        }
        notifyAll();
    }

    /**
     * Waits for what comes next.
     *
     * @param empty filled next
     * @return what has been read, with a byte at least; with none at the end of the stream
     * @throws RobberException with {@code SOURCE} if the stream cannot be read, or that was given to {@link #fail}
     */
    public synchronized ByteBuffer next(ByteBuffer empty) throws InterruptedException {
        while (failure == null && !ended && filling.position() == 0) {
            wait();
        }
        if (failure != null) {
            throw failure;
        }
        ByteBuffer chunk = filling.flip();
        filling = empty;
        notifyAll();
        return chunk;
    }
}
