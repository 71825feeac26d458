package org.robber.transport.storage.file;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.robber.Storage.FileRange;

/**
 * Keeps the files open that were used last. A channel in use is never closed, so the number of open files can exceed the
 * limit by the number of users. Thread-safe.
 */
public final class ChannelCache implements Closeable {

    /** Opens an entry's file. Called by one thread at a time. */
    @FunctionalInterface
    public interface Opener {
        FileChannel open(int entry) throws IOException;
    }

    private final int maxIdle;
    private final Opener opener;

    /** By entry, the one that was not used for longest first. */
    @GuardedBy("this")
    private final Map<Integer, Slot> slots = new LinkedHashMap<>(16, 0.75f, true);

    @GuardedBy("this")
    private boolean closed;

    public ChannelCache(int maxIdle, Opener opener) {
        this.maxIdle = maxIdle;
        this.opener = opener;
    }

    /** The entry's file, open until the lease is closed. */
    public synchronized Lease lease(int entry) throws IOException {
        if (closed) {
            throw new IOException("the storage is closed");
        }
        Slot slot = slots.get(entry);
        // An interrupted thread leaves its channel closed.
        if (slot == null || !slot.channel.isOpen()) {
            slot = new Slot(opener.open(entry));
            slots.put(entry, slot);
            closeEldest();
        }
        slot.users++;
        return new Lease(slot);
    }

    @GuardedBy("this")
    private void closeEldest() throws IOException {
        Iterator<Slot> eldest = slots.values().iterator();
        while (slots.size() > maxIdle) {
            Slot slot = eldest.next();
            if (!eldest.hasNext()) {
                return; // This is the one that was just opened.
            }
            if (slot.users == 0) {
                eldest.remove();
                slot.channel.close();
            }
        }
    }

    /** Closes all files: at once, or when their last user is done. */
    @Override
    public synchronized void close() throws IOException {
        closed = true;
        List<FileChannel> idle = new ArrayList<>();
        for (Slot slot : slots.values()) {
            if (slot.users == 0) {
                idle.add(slot.channel);
            }
        }
        slots.clear();
        IOException failure = null;
        for (FileChannel channel : idle) {
            try {
                channel.close();
            } catch (IOException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static final class Slot {
        private final FileChannel channel;
        /** Guarded by the cache. */
        private int users;

        Slot(FileChannel channel) {
            this.channel = channel;
        }
    }

    /** The use of an open file. */
    public final class Lease implements Closeable {
        private final Slot slot;

        private Lease(Slot slot) {
            this.slot = slot;
        }

        public FileChannel channel() {
            return slot.channel;
        }

        /** This lease as a range; releasing the range closes the lease. */
        public FileRange asRange(long positionBytes) {
            return new FileRange() {
                @Override
                public FileChannel channel() {
                    return slot.channel;
                }

                @Override
                public long positionBytes() {
                    return positionBytes;
                }

                @Override
                public void release() {
                    try {
                        close();
                    } catch (IOException e) {
                        // The file was only read from: nothing is lost.
                    }
                }
            };
        }

        @Override
        public void close() throws IOException {
            synchronized (ChannelCache.this) {
                slot.users--;
                if (slot.users == 0 && closed) {
                    slot.channel.close();
                }
            }
        }
    }
}
