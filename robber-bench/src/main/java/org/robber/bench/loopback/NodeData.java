package org.robber.bench.loopback;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.robber.Storage;

/** The data of one Robber node: in a buffer or in a file, there already or still to come. */
final class NodeData implements Closeable {
    private final Storage storage;

    private NodeData(Storage storage) {
        this.storage = storage;
    }

    /**
     * Makes the data ready, or the place where it will be.
     *
     * @param file the data at the root; elsewhere the file to make, if it is to be kept in one
     * @param isRoot whether the data is there
     */
    static NodeData open(Place place, Path file, long sizeBytes, boolean isRoot) throws IOException {
        return new NodeData(
                switch (place) {
                    case BUFFER -> Storage.of(buffer(file, Math.toIntExact(sizeBytes), isRoot));
                    case FILE ->
                        Storage.of(
                                FileChannel.open(
                                        file,
                                        StandardOpenOption.CREATE,
                                        StandardOpenOption.READ,
                                        StandardOpenOption.WRITE),
                                sizeBytes);
                    case DISCARD -> throw new IllegalArgumentException("Robber's nodes serve what they receive");
                });
    }

    private static ByteBuffer buffer(Path file, int sizeBytes, boolean isRoot) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(sizeBytes);
        if (isRoot) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                TestData.readFully(channel, 0, buffer);
            }
            buffer.clear();
        }
        return buffer;
    }

    /** The data to multicast. */
    Storage storage() {
        return storage;
    }

    /**
     * Looks whether the data is what the root has.
     *
     * @throws IOException if it is not
     */
    void check(long checksum) throws IOException {
        PlainSink.checkSame(TestData.checksum(storage::read, storage.sizeBytes()), checksum);
    }

    @Override
    public void close() throws IOException {
        storage.close();
    }
}
