package org.robber.cli.stream;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.report.FileFailure;

/**
 * Writes a stream in order, on a thread of its own: to standard output, to a fifo or device that exists, or to a file. A file gets
 * its name when all is written.
 */
public final class StreamTarget {
    /** The name of standard input and output. */
    public static final String STANDARD = "-";

    private final String name;
    private final Opener<WritableByteChannel> opener;
    private final @Nullable UnfinishedFile unfinished;
    private final ChunkQueue free;
    private final ChunkQueue written = new ChunkQueue();
    private final Thread thread = new Thread(this::run, "stream-target");

    private StreamTarget(
            String name, Opener<WritableByteChannel> opener, @Nullable UnfinishedFile unfinished, ChunkQueue free) {
        this.name = name;
        this.opener = opener;
        this.unfinished = unfinished;
        this.free = free;
    }

    /**
     * A target that is written to from now on. Nothing here waits for the other end of a fifo: while nobody reads it, no chunk gets free.
     *
     * @param destination {@link #STANDARD}, or the name of a file
     * @param free gets each chunk that is written; fails if the target does
     * @throws RobberException with {@code USAGE} if the name is no name of a file
     */
    public static StreamTarget open(String destination, ChunkQueue free) throws IOException {
        StreamTarget target = create(destination, free);
        target.thread.setDaemon(true);
        target.thread.start();
        return target;
    }

    private static StreamTarget create(String destination, ChunkQueue free) throws IOException {
        Path file = Path.of(destination);
        if (destination.equals(STANDARD)) {
            return new StreamTarget(
                    "standard output", () -> new FileOutputStream(FileDescriptor.out).getChannel(), null, free);
        }
        if (destination.endsWith("/") || Files.isDirectory(file)) {
            throw new RobberException(
                    Reason.USAGE,
                    List.of(),
                    "prepare",
                    "a stream has no name for its copy in the folder " + destination
                            + ": give DEST as the name of a file, or - for standard output");
        }
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            return new StreamTarget(destination, () -> FileChannel.open(file, StandardOpenOption.WRITE), null, free);
        }
        UnfinishedFile unfinished = UnfinishedFile.of(file);
        return new StreamTarget(destination, unfinished::channel, unfinished, free);
    }

    private void run() {
        try {
            writeAll();
            free.put(ByteBuffer.allocate(0));
        } catch (IOException | RuntimeException | Error e) {
            free.fail(failure("cannot write to " + name, e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void writeAll() throws IOException, InterruptedException {
        WritableByteChannel output = opener.open();
        try {
            for (ByteBuffer chunk = written.take(); chunk.hasRemaining(); chunk = written.take()) {
                while (chunk.hasRemaining()) {
                    output.write(chunk);
                }
                free.put(chunk.clear());
            }
        } finally {
            if (unfinished == null) {
                output.close();
            }
        }
    }

    /** Writes a chunk some time from now; it belongs to the target until then. */
    public void write(ByteBuffer chunk) {
        written.put(chunk);
    }

    /**
     * Waits until everything is written.
     *
     * @throws RobberException if the target has failed
     */
    public void awaitWritten() throws InterruptedException {
        written.put(ByteBuffer.allocate(0));
        while (free.take().capacity() > 0) {
            // the end comes behind all chunks
        }
    }

    /**
     * Gives the file its name.
     *
     * @param toDisk whether its bytes are on the disk before, and its name when this returns
     * @throws RobberException if that fails
     */
    public void commit(boolean toDisk) {
        if (unfinished != null) {
            try {
                unfinished.commit(toDisk);
            } catch (IOException e) {
                throw failure("cannot give the copy its name " + name, e);
            }
        }
    }

    /** Removes what is written of an unfinished file. */
    public void discard() throws IOException {
        if (unfinished != null) {
            unfinished.discard();
        }
    }

    private static RobberException failure(String what, Throwable cause) {
        return new RobberException(
                Reason.DESTINATION, List.of(), "transfer", what + ": " + FileFailure.text(cause), cause);
    }
}
