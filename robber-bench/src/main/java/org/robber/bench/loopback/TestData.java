package org.robber.bench.loopback;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * Bytes that look random and can be told from any other place in the data: the number at each multiple of eight bytes is a
 * function of its position, so that a receiver can check a sample without having seen the rest.
 */
final class TestData {
    private static final int CHUNK_BYTES = 1 << 20;
    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

    private TestData() {}

    /** The number that stands at this offset, a multiple of eight, in little endian order. */
    static long numberAt(long offsetBytes) {
        // The n-th output of SplitMix64, which can be computed without the ones before.
        long z = (offsetBytes / Long.BYTES + 1) * GOLDEN_GAMMA;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /**
     * Writes a new file of this size.
     *
     * @return its {@link #checksum(Source, long)}
     */
    static long writeTo(Path file, long sizeBytes) throws IOException {
        CRC32C crc = new CRC32C();
        ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (long offset = 0; offset < sizeBytes; offset += CHUNK_BYTES) {
                chunk.clear();
                for (int i = 0; i < CHUNK_BYTES; i += Long.BYTES) {
                    chunk.putLong(i, numberAt(offset + i));
                }
                chunk.limit((int) Math.min(CHUNK_BYTES, sizeBytes - offset));
                crc.update(chunk.duplicate());
                while (chunk.hasRemaining()) {
                    channel.write(chunk);
                }
            }
        }
        return crc.getValue();
    }

    /** Reads bytes from an offset on until the buffer is full. */
    @FunctionalInterface
    interface Source {
        void read(long offsetBytes, ByteBuffer target) throws IOException;
    }

    /** CRC-32C of the first bytes. */
    static long checksum(Source source, long sizeBytes) throws IOException {
        CRC32C crc = new CRC32C();
        ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
        for (long offset = 0; offset < sizeBytes; ) {
            chunk.clear().limit((int) Math.min(CHUNK_BYTES, sizeBytes - offset));
            source.read(offset, chunk);
            offset += chunk.flip().limit();
            crc.update(chunk);
        }
        return crc.getValue();
    }

    /** Fills what remains of the buffer with the file's bytes from this offset on. */
    static void readFully(FileChannel file, long offsetBytes, ByteBuffer target) throws IOException {
        long offset = offsetBytes;
        while (target.hasRemaining()) {
            int count = file.read(target, offset);
            if (count < 0) {
                throw new EOFException("the file ends at " + offset);
            }
            offset += count;
        }
    }
}
