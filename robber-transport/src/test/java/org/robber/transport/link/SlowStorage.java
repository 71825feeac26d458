package org.robber.transport.link;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.robber.Storage;

/** A storage whose access may take its time, as that of a file. */
public record SlowStorage(Storage data) implements Storage {
    @Override
    public long sizeBytes() {
        return data.sizeBytes();
    }

    @Override
    public void read(long offsetBytes, ByteBuffer target) throws IOException {
        data.read(offsetBytes, target);
    }

    @Override
    public void write(long offsetBytes, ByteBuffer source) throws IOException {
        data.write(offsetBytes, source);
    }

    @Override
    public @Nullable ByteBuffer memory(long offsetBytes, int lengthBytes) {
        return data.memory(offsetBytes, lengthBytes);
    }

    @Override
    public void close() throws IOException {
        data.close();
    }
}
