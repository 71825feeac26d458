package org.robber.transport.storage;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.robber.RobberException;
import org.robber.Storage;

/** Reads and writes storages that users may have written: whatever they throw is a failure of the storage, not of Robber. */
public final class UserStorage {
    private UserStorage() {}

    /** As {@link Storage#read}; fails if the storage fills less than the buffer. */
    public static void read(Storage storage, long offsetBytes, ByteBuffer target) throws IOException {
        int wantedBytes = target.remaining();
        run(() -> storage.read(offsetBytes, target));
        if (target.hasRemaining()) {
            throw new EOFException("the storage has given " + (wantedBytes - target.remaining()) + " of the "
                    + wantedBytes + " bytes from byte " + offsetBytes + " on");
        }
    }

    /** As {@link Storage#write}. */
    public static void write(Storage storage, long offsetBytes, ByteBuffer source) throws IOException {
        run(() -> storage.write(offsetBytes, source));
    }

    private interface Access {
        void run() throws IOException;
    }

    private static void run(Access access) throws IOException {
        try {
            access.run();
        } catch (RobberException e) {
            throw e;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (RuntimeException e) {
            throw new IOException(String.valueOf(e), e);
        }
    }
}
