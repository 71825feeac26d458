package org.robber.transport.storage.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Objects;
import org.robber.transport.manifest.Manifest;

/** Ranges of bytes: in channels, and across the files of a manifest. */
public final class Ranges {

    private Ranges() {}

    /** What to do with the part of a range that lies in one file. */
    @FunctionalInterface
    public interface InFile {
        /**
         * Handles the part.
         *
         * @param entry the file
         * @param positionBytes where the part begins in the file
         * @param part what remains of it is the part
         */
        void accept(int entry, long positionBytes, ByteBuffer part) throws IOException;
    }

    /** Splits the range at the borders of the files. In the end nothing remains of the buffer. */
    public static void forEachFile(Manifest manifest, long offsetBytes, ByteBuffer buffer, InFile action)
            throws IOException {
        check(offsetBytes, buffer, manifest.totalBytes());
        int limit = buffer.limit();
        try {
            long offset = offsetBytes;
            int entry = buffer.hasRemaining() ? manifest.fileAt(offset) : 0;
            while (buffer.position() < limit) {
                long position = offset - manifest.offsetBytes(entry);
                int length = (int) Math.min(manifest.sizeBytes(entry) - position, limit - buffer.position());
                // Directories, links and empty files have no bytes here.
                if (length > 0) {
                    int end = buffer.position() + length;
                    buffer.limit(end);
                    action.accept(entry, position, buffer);
                    buffer.position(end);
                    offset += length;
                }
                entry++;
            }
        } finally {
            buffer.limit(limit);
        }
    }

    /** The file that the whole range lies in, or -1 if it is empty or crosses a border. */
    public static int onlyFile(Manifest manifest, long offsetBytes, int lengthBytes) {
        check(offsetBytes, lengthBytes, manifest.totalBytes());
        if (lengthBytes == 0) {
            return -1;
        }
        int entry = manifest.fileAt(offsetBytes);
        long end = manifest.offsetBytes(entry) + manifest.sizeBytes(entry);
        return offsetBytes + lengthBytes <= end ? entry : -1;
    }

    /** Refuses what isn't inside the data. */
    public static void check(long offsetBytes, ByteBuffer buffer, long sizeBytes) {
        check(offsetBytes, buffer.remaining(), sizeBytes);
    }

    /** Refuses a range that isn't inside the data. */
    public static void check(long offsetBytes, int lengthBytes, long sizeBytes) {
        Objects.checkFromIndexSize(offsetBytes, lengthBytes, sizeBytes);
    }

    /** Fills the buffer; returns false if the file ends before. */
    public static boolean readFully(FileChannel channel, long positionBytes, ByteBuffer target) throws IOException {
        long position = positionBytes;
        while (target.hasRemaining()) {
            int read = channel.read(target, position);
            if (read < 0) {
                return false;
            }
            position += read;
        }
        return true;
    }

    /** Writes all that remains of the buffer. */
    public static void writeFully(FileChannel channel, long positionBytes, ByteBuffer source) throws IOException {
        long position = positionBytes;
        while (source.hasRemaining()) {
            position += channel.write(source, position);
        }
    }
}
