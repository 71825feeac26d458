package org.robber;

import com.google.common.collect.ImmutableList;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.stream.Stream;

/** The files of a folder and of the folders in it. Each access opens its files, so no number of files is too large. */
final class TreeStorage implements Storage {
    private final ImmutableList<Path> files;
    /** Where each file begins in the data, and at the end the size of the data. */
    private final long[] offsets;

    TreeStorage(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new NotDirectoryException(folder.toString());
        }
        try (Stream<Path> entries = Files.walk(folder)) {
            files = entries.filter(entry -> Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS))
                    .sorted()
                    .collect(ImmutableList.toImmutableList());
        }
        offsets = new long[files.size() + 1];
        for (int i = 0; i < files.size(); i++) {
            offsets[i + 1] = offsets[i] + Files.size(files.get(i));
        }
    }

    @Override
    public long sizeBytes() {
        return offsets[files.size()];
    }

    @Override
    public void read(long offsetBytes, ByteBuffer target) throws IOException {
        access(offsetBytes, target, StandardOpenOption.READ, FileChannel::read);
    }

    @Override
    public void write(long offsetBytes, ByteBuffer source) throws IOException {
        access(offsetBytes, source, StandardOpenOption.WRITE, FileChannel::write);
    }

    private interface Step {
        int move(FileChannel channel, ByteBuffer part, long positionBytes) throws IOException;
    }

    /** Takes what remains of the buffer from the files that have its bytes, or puts it there. */
    private void access(long offsetBytes, ByteBuffer buffer, OpenOption option, Step step) throws IOException {
        Objects.checkFromIndexSize(offsetBytes, buffer.remaining(), sizeBytes());
        int limit = buffer.limit();
        long offset = offsetBytes;
        try {
            for (int i = fileAt(offset); buffer.position() < limit; i++) {
                long end = Math.min(offsets[i + 1], offset + limit - buffer.position());
                buffer.limit(buffer.position() + (int) (end - offset));
                try (FileChannel channel = FileChannel.open(files.get(i), option)) {
                    while (buffer.hasRemaining()) {
                        int moved = step.move(channel, buffer, offset - offsets[i]);
                        if (moved < 0) {
                            throw new EOFException(files.get(i) + ": ends at byte " + (offset - offsets[i]) + " of "
                                    + (offsets[i + 1] - offsets[i]));
                        }
                        offset += moved;
                    }
                }
                buffer.limit(limit);
            }
        } finally {
            buffer.limit(limit);
        }
    }

    /** The file with this byte, or the number of files if it is behind the last. */
    private int fileAt(long offsetBytes) {
        int least = 0;
        int most = files.size();
        while (least < most) {
            int middle = (least + most) >>> 1;
            if (offsets[middle + 1] <= offsetBytes) {
                least = middle + 1;
            } else {
                most = middle;
            }
        }
        return least;
    }

    /** Does nothing: no file is open between accesses. */
    @Override
    public void close() {}
}
