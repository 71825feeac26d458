package org.robber.bench.loopback;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/** Where a plain receiver puts the bytes. */
abstract class PlainSink implements Closeable {
    // Fits the second-level cache, so that a byte read is still hot when it is written.
    private static final int CHUNK_BYTES = 256 << 10;

    private PlainSink() {}

    /** Makes the place ready: buffers allocated, files open. */
    static PlainSink open(Place place, long sizeBytes, Path target) throws IOException {
        return switch (place) {
            case DISCARD -> new Discard();
            case BUFFER -> new Buffer(Math.toIntExact(sizeBytes));
            case FILE -> new File(target, sizeBytes);
        };
    }

    /** Reads what is there, at least one byte, and puts it where it belongs; returns how much it was. */
    abstract int readFrom(SocketChannel socket, long offsetBytes) throws IOException;

    /** Returns once the sender has closed the connection. */
    static void awaitEnd(SocketChannel socket) throws IOException {
        if (socket.read(ByteBuffer.allocateDirect(1)) >= 0) {
            throw new IOException("the sender sends more than the data");
        }
    }

    /**
     * Looks whether what arrived is what was sent.
     *
     * @throws IOException if it is not
     */
    abstract void check(long checksum) throws IOException;

    @Override
    public void close() throws IOException {}

    static void checkSame(long checksum, long expected) throws IOException {
        if (checksum != expected) {
            throw new IOException("wrong bytes arrived: checksum " + checksum + ", expected " + expected);
        }
    }

    private static int read(SocketChannel socket, ByteBuffer target) throws IOException {
        int count = socket.read(target);
        if (count < 0) {
            throw new EOFException("the sender has closed the connection early");
        }
        return count;
    }

    /** Counts; and because a check of all bytes would be work, compares one number of each read with what it must be. */
    private static final class Discard extends PlainSink {
        private final ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES).order(ByteOrder.LITTLE_ENDIAN);

        @Override
        int readFrom(SocketChannel socket, long offsetBytes) throws IOException {
            chunk.clear();
            int count = read(socket, chunk);
            int firstNumber = (int) (-offsetBytes & (Long.BYTES - 1));
            if (firstNumber + Long.BYTES <= count) {
                checkSame(chunk.getLong(firstNumber), TestData.numberAt(offsetBytes + firstNumber));
            }
            return count;
        }

        @Override
        void check(long checksum) {
            // Checked on the way.
        }
    }

    private static final class Buffer extends PlainSink {
        private final ByteBuffer data;

        Buffer(int sizeBytes) {
            this.data = ByteBuffer.allocateDirect(sizeBytes);
        }

        @Override
        int readFrom(SocketChannel socket, long offsetBytes) throws IOException {
            return read(socket, data);
        }

        @Override
        void check(long checksum) throws IOException {
            CRC32C crc = new CRC32C();
            crc.update(data.flip());
            checkSame(crc.getValue(), checksum);
        }
    }

    private static final class File extends PlainSink {
        private final ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
        private final long sizeBytes;
        private final FileChannel file;

        File(Path target, long sizeBytes) throws IOException {
            this.sizeBytes = sizeBytes;
            this.file = FileChannel.open(
                    target, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
        }

        @Override
        int readFrom(SocketChannel socket, long offsetBytes) throws IOException {
            chunk.clear();
            int count = read(socket, chunk);
            chunk.flip();
            while (chunk.hasRemaining()) {
                file.write(chunk);
            }
            return count;
        }

        @Override
        void check(long checksum) throws IOException {
            checkSame(
                    TestData.checksum((offset, chunk) -> TestData.readFully(file, offset, chunk), sizeBytes), checksum);
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
