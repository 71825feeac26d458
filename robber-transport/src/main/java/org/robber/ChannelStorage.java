package org.robber;

import static com.google.common.base.Preconditions.checkArgument;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.util.Objects;

/** Data in one open file. */
final class ChannelStorage implements Storage {
    private final FileChannel channel;
    private final long sizeBytes;
    private final String subject;

    /** @param subject what the message says of a file that ends too soon, before "ends" */
    ChannelStorage(FileChannel channel, long sizeBytes, String subject) {
        checkArgument(sizeBytes >= 0, "sizeBytes: %s", sizeBytes);
        this.channel = channel;
        this.sizeBytes = sizeBytes;
        this.subject = subject;
    }

    @Override
    public long sizeBytes() {
        return sizeBytes;
    }

    @Override
    public void read(long offsetBytes, ByteBuffer target) throws IOException {
        Objects.checkFromIndexSize(offsetBytes, target.remaining(), sizeBytes);
        long position = offsetBytes;
        while (target.hasRemaining()) {
            int read = readSome(target, position);
            if (read < 0) {
                throw new EOFException(subject + " ends at byte " + position + " of " + sizeBytes);
            }
            position += read;
        }
    }

    private int readSome(ByteBuffer target, long position) throws IOException {
        try {
            return channel.read(target, position);
        } catch (NonReadableChannelException e) {
            throw new IOException(subject + " is open for writing only", e);
        }
    }

    @Override
    public void write(long offsetBytes, ByteBuffer source) throws IOException {
        Objects.checkFromIndexSize(offsetBytes, source.remaining(), sizeBytes);
        long position = offsetBytes;
        while (source.hasRemaining()) {
            position += writeSome(source, position);
        }
    }

    private int writeSome(ByteBuffer source, long position) throws IOException {
        try {
            return channel.write(source, position);
        } catch (NonWritableChannelException e) {
            throw new IOException(subject + " is open for reading only", e);
        }
    }

    /** A channel does not tell, but a read-only one refuses even an empty write. */
    @Override
    public boolean isReadOnly() {
        try {
            int unused = channel.write(ByteBuffer.allocate(0), 0);
            return false;
        } catch (NonWritableChannelException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public FileRange fileRange(long offsetBytes, int lengthBytes) throws IOException {
        Objects.checkFromIndexSize(offsetBytes, lengthBytes, sizeBytes);
        // A file that cannot be read would break the connection in the middle of a piece.
        int unused = readSome(ByteBuffer.allocate(0), offsetBytes);
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
