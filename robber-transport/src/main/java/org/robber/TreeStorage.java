package org.robber;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;

/** The files of a folder and of the folders in it. Each access opens its files, so no number of files is too large. */
final class TreeStorage implements Storage {
    private final ImmutableList<Path> files;
    /** Where each file with bytes begins in the data, and at the end the size of the data. */
    private final long[] offsets;

    TreeStorage(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new NotDirectoryException(folder.toString());
        }
        ImmutableList.Builder<Path> found = ImmutableList.builder();
        ImmutableLongArray.Builder ends = ImmutableLongArray.builder().add(0);
        long end = 0;
        try (Stream<Path> entries = Files.walk(folder.toRealPath())) {
            for (Path file : (Iterable<Path>) entries.sorted()::iterator) {
                long size = Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) ? Files.size(file) : 0;
                // Files without bytes would have the same place as the next one.
                if (size > 0) {
                    end += size;
                    found.add(file);
                    ends.add(end);
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        files = found.build();
        offsets = ends.build().toArray();
    }

    @Override
    public long sizeBytes() {
        return offsets[files.size()];
    }

    @Override
    public void read(long offsetBytes, ByteBuffer target) throws IOException {
        access(offsetBytes, target, StandardOpenOption.READ, Storage::read);
    }

    @Override
    public void write(long offsetBytes, ByteBuffer source) throws IOException {
        access(offsetBytes, source, StandardOpenOption.WRITE, Storage::write);
    }

    private interface Access {
        void move(Storage file, long offsetBytes, ByteBuffer part) throws IOException;
    }

    /** Takes what remains of the buffer from the files that have its bytes, or puts it there. */
    private void access(long offsetBytes, ByteBuffer buffer, OpenOption option, Access access) throws IOException {
        Objects.checkFromIndexSize(offsetBytes, buffer.remaining(), sizeBytes());
        int limit = buffer.limit();
        long offset = offsetBytes;
        try {
            for (int i = fileAt(offset); buffer.position() < limit; i++) {
                int bytes = (int) Math.min(offsets[i + 1] - offset, limit - buffer.position());
                buffer.limit(buffer.position() + bytes);
                try (Storage file = open(i, option)) {
                    access.move(file, offset - offsets[i], buffer);
                }
                offset += bytes;
                buffer.limit(limit);
            }
        } finally {
            buffer.limit(limit);
        }
    }

    private Storage open(int number, OpenOption option) throws IOException {
        Path file = files.get(number);
        return new ChannelStorage(FileChannel.open(file, option), offsets[number + 1] - offsets[number], file + ":");
    }

    /** The file with this byte, or the number of files if it is behind the last. */
    private int fileAt(long offsetBytes) {
        int place = Arrays.binarySearch(offsets, offsetBytes);
        return place >= 0 ? place : -place - 2;
    }

    /** Does nothing: no file is open between accesses. */
    @Override
    public void close() {}
}
