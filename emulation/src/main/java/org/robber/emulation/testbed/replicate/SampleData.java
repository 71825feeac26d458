package org.robber.emulation.testbed.replicate;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/** Data that nothing can compress, the same for the same seed. */
final class SampleData {

    private static final int CHUNK_BYTES = 1 << 20;

    private SampleData() {}

    /** Writes a new file of so many bytes; returns its checksum. */
    static long write(Path file, long bytes, long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        CRC32C checksum = new CRC32C();
        ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (long left = bytes; left > 0; left -= chunk.limit()) {
                chunk.clear();
                while (chunk.hasRemaining()) {
                    chunk.putLong(random.nextLong());
                }
                chunk.flip().limit((int) Math.min(CHUNK_BYTES, left));
                checksum.update(chunk.array(), 0, chunk.limit());
                while (chunk.hasRemaining()) {
                    channel.write(chunk);
                }
            }
        }
        return checksum.getValue();
    }

    /** The checksum of a file. */
    static long checksum(Path file) throws IOException {
        CRC32C checksum = new CRC32C();
        byte[] chunk = new byte[CHUNK_BYTES];
        try (InputStream input = Files.newInputStream(file)) {
            for (int count = input.read(chunk); count >= 0; count = input.read(chunk)) {
                checksum.update(chunk, 0, count);
            }
        }
        return checksum.getValue();
    }
}
