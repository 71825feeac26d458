package org.robber.transport.storage.copy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.robber.Storage.FileRange;
import org.robber.transport.manifest.EntryAttributes;
import org.robber.transport.manifest.EntryKind;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.storage.copy.FileStates.State;
import org.robber.transport.storage.file.AttributeWriter;
import org.robber.transport.storage.file.ChannelCache;
import org.robber.transport.storage.file.FileFailures;
import org.robber.transport.storage.file.FileStat;
import org.robber.transport.storage.file.Ranges;
import org.robber.transport.storage.file.RawPaths;

/**
 * A tree in its staging directory, while its pieces arrive. Most files of most trees are small and arrive within one piece:
 * the thread that brings the piece creates, writes and closes such a file and sets its time. {@link TreeCompletion} only looks
 * at it again. Thread-safe for different ranges.
 */
final class StagedTree {
    private static final int MAX_IDLE_CHANNELS = 64;
    static final Set<OpenOption> CREATE = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    private static final Set<OpenOption> CREATE_FOR_ALL =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
    private static final Set<OpenOption> OPEN_FOR_ALL =
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    private static final Set<OpenOption> READ = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

    private final Path directory;
    private final Manifest manifest;
    private final AttributeWriter attributes;
    private final FileStates states;
    private final ChannelCache channels = new ChannelCache(MAX_IDLE_CHANNELS, this::openForAll);

    /** The tree in this directory, which exists. */
    StagedTree(Path directory, Manifest manifest, AttributeWriter attributes) {
        this.directory = directory;
        this.manifest = manifest;
        this.attributes = attributes;
        this.states = new FileStates(manifest.entryCount());
    }

    /** Makes all directories of the tree. */
    void createDirectories() throws IOException {
        for (int i = manifest.isRooted() ? 1 : 0; i < manifest.entryCount(); i++) {
            if (manifest.kind(i) == EntryKind.DIRECTORY) {
                Files.createDirectory(path(i), attributes.forDirectoryCreation(manifest.mode(i)));
            }
        }
    }

    Path directory() {
        return directory;
    }

    FileStates states() {
        return states;
    }

    /** Where the entry is now. */
    Path path(int entry) {
        return RawPaths.resolve(directory, manifest.path(entry));
    }

    /** Writes the part of a file. */
    void write(int entry, long positionBytes, ByteBuffer part) throws IOException {
        if (states.of(entry) == State.SHOWN) {
            throw new IllegalStateException("entry " + entry + " is in its place already");
        }
        if (part.remaining() == manifest.sizeBytes(entry)) {
            writeWhole(entry, part);
            return;
        }
        try (ChannelCache.Lease lease = channels.lease(entry)) {
            states.set(entry, State.WRITTEN);
            Ranges.writeFully(lease.channel(), positionBytes, part);
        }
    }

    private void writeWhole(int entry, ByteBuffer content) throws IOException {
        Path path = path(entry);
        EntryAttributes wanted = manifest.attributes(entry);
        try (FileChannel channel = states.of(entry) == State.ABSENT
                ? FileChannel.open(path, CREATE, attributes.forCreation(wanted.mode()))
                : FileChannel.open(path, OPEN_FOR_ALL)) {
            states.set(entry, State.WRITTEN);
            Ranges.writeFully(channel, 0, content);
        }
        attributes.setTimes(path, wanted);
        states.set(entry, State.TIMED);
    }

    private FileChannel openForAll(int entry) throws IOException {
        State state = states.of(entry);
        if (state != State.ABSENT) {
            return FileChannel.open(path(entry), state == State.SHOWN ? READ : OPEN_FOR_ALL);
        }
        FileChannel channel =
                FileChannel.open(path(entry), CREATE_FOR_ALL, attributes.forCreation(manifest.mode(entry)));
        states.set(entry, State.WRITTEN);
        return channel;
    }

    /** Reads back what was written. */
    void read(int entry, long positionBytes, ByteBuffer part) throws IOException {
        boolean complete;
        // What is shown may be replaced by a copy: its channel must not be kept.
        if (part.remaining() == manifest.sizeBytes(entry) || states.of(entry) == State.SHOWN) {
            try (FileChannel channel = FileChannel.open(path(entry), READ)) {
                complete = Ranges.readFully(channel, positionBytes, part);
            }
        } else {
            try (ChannelCache.Lease lease = leaseWritten(entry)) {
                complete = Ranges.readFully(lease.channel(), positionBytes, part);
            }
        }
        if (!complete) {
            throw new IOException("nothing was written yet at byte " + (positionBytes + part.position()));
        }
    }

    /** The part of the file as a range of it. */
    FileRange range(int entry, long positionBytes) throws IOException {
        return leaseWritten(entry).asRange(positionBytes);
    }

    private ChannelCache.Lease leaseWritten(int entry) throws IOException {
        if (states.of(entry) == State.ABSENT) {
            throw new IOException("nothing was written yet");
        }
        return channels.lease(entry);
    }

    /**
     * Makes sure that a file that was in its final place is still what was compared.
     *
     * @throws org.robber.RobberException {@code DESTINATION} if another program has written to it since
     */
    void checkShown(int entry, String phase) throws IOException {
        if (states.hasChanged(entry, FileStat.of(path(entry)))) {
            throw FileFailures.destination(phase, changedMeanwhile(manifest.pathText(entry)), null);
        }
    }

    static String changedMeanwhile(String file) {
        return file + " in the destination was changed by another program during the job; run the same command again";
    }

    /** Closes all files. */
    void close() throws IOException {
        channels.close();
    }
}
