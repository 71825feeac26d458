package org.robber.transport.storage;

import static com.google.common.base.Preconditions.checkArgument;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.robber.Storage;

/**
 * Data in one open file. As with every {@link FileChannel}, interrupting a thread that reads or writes closes it for all.
 *
 * <p>What is written goes straight to the file. A half-written file stays as it is if something fails: {@link TreeTarget}
 * is the storage that shows complete files only.
 */
public final class FileStorage implements Storage {
    private final Path file;
    private final FileChannel channel;
    private final long sizeBytes;

    private FileStorage(Path file, FileChannel channel, long sizeBytes) {
        this.file = file;
        this.channel = channel;
        this.sizeBytes = sizeBytes;
    }

    /** An existing file, for reading only; its size is what it is now. */
    public static FileStorage reading(Path file) throws IOException {
        try {
            FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
            return new FileStorage(file, channel, channel.size());
        } catch (IOException e) {
            throw FileFailures.named(file, e);
        }
    }

    /**
     * A file for reading and writing, created if there is none; an existing one keeps its bytes up to {@code sizeBytes}, and
     * loses those behind.
     */
    public static FileStorage writing(Path file, long sizeBytes) throws IOException {
        checkArgument(sizeBytes >= 0, "sizeBytes: %s", sizeBytes);
        try {
            FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            try {
                channel.truncate(sizeBytes);
            } catch (IOException e) {
                channel.close();
                throw e;
            }
            return new FileStorage(file, channel, sizeBytes);
        } catch (IOException e) {
            throw FileFailures.named(file, e);
        }
    }

    @Override
    public long sizeBytes() {
        return sizeBytes;
    }

    @Override
    public void read(long offsetBytes, ByteBuffer target) throws IOException {
        Ranges.check(offsetBytes, target, sizeBytes);
        boolean complete;
        try {
            complete = Ranges.readFully(channel, offsetBytes, target);
        } catch (IOException e) {
            throw FileFailures.named(file, e);
        }
        if (!complete) {
            throw new IOException(RawPaths.text(file) + ": ends before byte " + (offsetBytes + target.limit()));
        }
    }

    @Override
    public void write(long offsetBytes, ByteBuffer source) throws IOException {
        Ranges.check(offsetBytes, source, sizeBytes);
        try {
            Ranges.writeFully(channel, offsetBytes, source);
        } catch (IOException e) {
            throw FileFailures.named(file, e);
        }
    }

    @Override
    public @Nullable FileRange fileRange(long offsetBytes, int lengthBytes) {
        Objects.checkFromIndexSize(offsetBytes, lengthBytes, sizeBytes);
        return new FileRange() {
            @Override
            public FileChannel channel() {
                return channel;
            }

            @Override
            public long positionBytes() {
                return offsetBytes;
            }

            @Override
            public void release() {
                // The file stays open until the storage is closed.
            }
        };
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
