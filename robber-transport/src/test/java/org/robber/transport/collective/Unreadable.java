package org.robber.transport.collective;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.robber.Storage;

/** A storage of so many bytes that cannot be read. */
public record Unreadable(long sizeBytes) implements Storage {
    @Override
    public void read(long offsetBytes, ByteBuffer target) throws IOException {
        throw new IOException("bad sector");
    }

    @Override
    public void write(long offsetBytes, ByteBuffer source) {}

    @Override
    public void close() {}
}
