package org.robber.transport.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.Storage.FileRange;
import org.robber.transport.manifest.EntryAttributes;
import org.robber.transport.manifest.EntryKind;
import org.robber.transport.manifest.Manifest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tree while it comes in, in its staging directory. Most files of most trees are small and arrive within one piece:
 * these are created, written, closed and given their time in one go, by whichever thread brings the piece, and need no
 * further call in the end. Thread-safe for different ranges.
 */
final class StagedTree {
    private static final int MAX_IDLE_CHANNELS = 64;
    private static final Set<OpenOption> CREATE = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    private static final Set<OpenOption> CREATE_FOR_ALL =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
    private static final Set<OpenOption> OPEN_FOR_ALL =
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    private static final Set<OpenOption> READ = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

    /** States of a file: it isn't there; it is, in part or whole; it is whole and has its time; it is in place already. */
    private static final int ABSENT = 0;

    private static final int WRITTEN = 1;
    private static final int TIMED = 2;
    /** It is the very file that is shown already, and must not be touched. */
    private static final int SHOWN = 3;

    private static final Logger LOG = LoggerFactory.getLogger(StagedTree.class);

    private final Path directory;
    private final Manifest manifest;
    private final AttributeWriter attributes;
    private final AtomicIntegerArray states;
    private final ChannelCache channels = new ChannelCache(MAX_IDLE_CHANNELS, this::openForAll);

    private StagedTree(Path directory, Manifest manifest, AttributeWriter attributes) {
        this.directory = directory;
        this.manifest = manifest;
        this.attributes = attributes;
        this.states = new AtomicIntegerArray(manifest.entryCount());
    }

    /** Makes all directories of the tree in the staging directory. */
    static StagedTree create(Path staging, Manifest manifest, AttributeWriter attributes) throws IOException {
        StagedTree tree = new StagedTree(staging, manifest, attributes);
        for (int i = manifest.isRooted() ? 1 : 0; i < manifest.entryCount(); i++) {
            if (manifest.kind(i) == EntryKind.DIRECTORY) {
                Files.createDirectory(tree.path(i), attributes.forDirectoryCreation(manifest.mode(i)));
            }
        }
        return tree;
    }

    /**
     * Goes on with a tree that an earlier run of the same manifest has left, in whatever state: perhaps parts of it are in
     * their place already. Until {@link #settle}, nothing may be written.
     */
    static StagedTree reopen(Path staging, Destination shown, Manifest manifest, AttributeWriter attributes)
            throws IOException {
        StagedTree tree = new StagedTree(staging, manifest, attributes);
        for (int i = manifest.isRooted() ? 1 : 0; i < manifest.entryCount(); i++) {
            tree.takeOver(i, tree.path(i), shown.path(manifest, i));
        }
        return tree;
    }

    /** What is shown already stays if it is right as a whole; of files that are right in part, a copy is gone on with. */
    void settle(VerifiedPieces verified) throws IOException {
        for (int i = 0; i < manifest.entryCount(); i++) {
            if (states.get(i) == SHOWN) {
                Path path = path(i);
                switch (verified.shareOf(manifest.offsetBytes(i), manifest.sizeBytes(i))) {
                    case NONE -> {
                        Files.delete(path);
                        states.set(i, ABSENT);
                    }
                    case SOME -> {
                        Path copy = directory.resolveSibling("copy");
                        Files.deleteIfExists(copy);
                        Files.copy(path, copy, LinkOption.NOFOLLOW_LINKS);
                        AttributeWriter.setMode(
                                copy, AttributeWriter.ofFile(manifest.mode(i)) | AttributeWriter.OWNER_FILE_BITS);
                        Files.move(copy, path, StandardCopyOption.ATOMIC_MOVE);
                        states.set(i, WRITTEN);
                    }
                    case ALL -> {}
                }
            }
        }
    }

    private void takeOver(int entry, Path path, Path shown) throws IOException {
        FileStat stat = FileStat.ofAny(path);
        boolean isDirectory = manifest.kind(entry) == EntryKind.DIRECTORY;
        if (stat != null && isUsable(entry, stat)) {
            if ((stat.mode() & AttributeWriter.OWNER_FILE_BITS) != AttributeWriter.OWNER_FILE_BITS) {
                AttributeWriter.setMode(path, stat.mode() | AttributeWriter.OWNER_FILE_BITS);
            }
            if (!isDirectory) {
                states.set(entry, WRITTEN);
            }
            return;
        }
        if (stat != null) {
            Staging.delete(path);
        }
        if (isDirectory) {
            Files.createDirectory(path, attributes.forDirectoryCreation(manifest.mode(entry)));
        } else if (manifest.sizeBytes(entry) > 0) {
            takeOverShown(entry, path, shown);
        }
    }

    private void takeOverShown(int entry, Path path, Path shown) {
        try {
            FileStat stat = FileStat.ofAny(shown);
            if (stat != null && stat.isFile() && stat.sizeBytes() == manifest.sizeBytes(entry)) {
                Files.createLink(path, shown);
                states.set(entry, SHOWN);
            }
        } catch (IOException | UnsupportedOperationException e) {
            LOG.debug("{} is not looked at", shown, e);
        }
    }

    private boolean isUsable(int entry, FileStat stat) {
        return switch (manifest.kind(entry)) {
            case DIRECTORY -> stat.isDirectory();
            // what has other names as well is shown somewhere, and is not written to
            case FILE -> stat.isFile() && stat.links() == 1 && stat.sizeBytes() <= manifest.sizeBytes(entry);
            // links come at the very end
            case SYMLINK -> false;
        };
    }

    /** Where the entry is now. */
    Path path(int entry) {
        return RawPaths.resolve(directory, manifest.path(entry));
    }

    /** Writes the part of a file. */
    void write(int entry, long positionBytes, ByteBuffer part) throws IOException {
        if (states.get(entry) == SHOWN) {
            throw new IllegalStateException("entry " + entry + " is in its place already");
        }
        if (part.remaining() == manifest.sizeBytes(entry)) {
            writeWhole(entry, part);
            return;
        }
        try (ChannelCache.Lease lease = channels.lease(entry)) {
            states.set(entry, WRITTEN);
            Ranges.writeFully(lease.channel(), positionBytes, part);
        }
    }

    private void writeWhole(int entry, ByteBuffer content) throws IOException {
        Path path = path(entry);
        EntryAttributes wanted = manifest.attributes(entry);
        try (FileChannel channel = states.get(entry) == ABSENT
                ? FileChannel.open(path, CREATE, attributes.forCreation(wanted.mode()))
                : FileChannel.open(path, OPEN_FOR_ALL)) {
            states.set(entry, WRITTEN);
            Ranges.writeFully(channel, 0, content);
        }
        attributes.setTimes(path, wanted);
        states.set(entry, TIMED);
    }

    private FileChannel openForAll(int entry) throws IOException {
        int state = states.get(entry);
        if (state != ABSENT) {
            return FileChannel.open(path(entry), state == SHOWN ? READ : OPEN_FOR_ALL);
        }
        FileChannel channel =
                FileChannel.open(path(entry), CREATE_FOR_ALL, attributes.forCreation(manifest.mode(entry)));
        states.set(entry, WRITTEN);
        return channel;
    }

    /** Reads back what was written. */
    void read(int entry, long positionBytes, ByteBuffer part) throws IOException {
        boolean complete;
        // What is shown may be replaced by a copy: its channel must not be kept.
        if (part.remaining() == manifest.sizeBytes(entry) || states.get(entry) == SHOWN) {
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
        if (states.get(entry) == ABSENT) {
            throw new IOException("nothing was written yet");
        }
        return channels.lease(entry);
    }

    /** Completes the tree: empty files, links, modes and times; checks that every file is there with its size. */
    void finish() {
        Path path = directory;
        try {
            channels.close();
            for (int i = 0; i < manifest.entryCount(); i++) {
                if (manifest.kind(i) == EntryKind.FILE) {
                    path = path(i);
                    finishFile(i, path);
                }
            }
            // Links come when nothing is written any more, directories when nothing comes into them any more.
            for (int i = 0; i < manifest.entryCount(); i++) {
                if (manifest.kind(i) == EntryKind.SYMLINK) {
                    path = path(i);
                    Files.createSymbolicLink(path, RawPaths.linkTarget(manifest.linkTarget(i)));
                    attributes.setTimes(path, manifest.attributes(i), LinkOption.NOFOLLOW_LINKS);
                }
            }
            for (int i = manifest.entryCount() - 1; i >= 0; i--) {
                if (manifest.kind(i) == EntryKind.DIRECTORY && !(i == 0 && manifest.isRooted())) {
                    path = path(i);
                    // What the owner may not write to can't be moved either: see Installation.
                    AttributeWriter.setMode(path, manifest.mode(i) | Installation.OWNER_DIRECTORY_BITS);
                    attributes.setTimes(path, manifest.attributes(i));
                }
            }
        } catch (IOException e) {
            throw Failures.destination("commit", path, e);
        }
    }

    private void finishFile(int entry, Path path) throws IOException {
        EntryAttributes wanted = manifest.attributes(entry);
        int state = states.get(entry);
        if (state == SHOWN) {
            return;
        }
        if (state == ABSENT) {
            if (manifest.sizeBytes(entry) > 0) {
                throw incomplete(entry, "nothing");
            }
            FileChannel.open(path, CREATE, attributes.forCreation(wanted.mode()))
                    .close();
        } else if (state == WRITTEN) {
            long sizeBytes = FileStat.of(path).sizeBytes();
            if (sizeBytes != manifest.sizeBytes(entry)) {
                throw incomplete(entry, sizeBytes + " bytes");
            }
        }
        if (state != TIMED) {
            attributes.setTimes(path, wanted);
        }
        attributes.finishMode(path, wanted.mode());
    }

    private RobberException incomplete(int entry, String found) {
        return new RobberException(
                Reason.INTERNAL,
                List.of(),
                "commit",
                manifest.pathText(entry) + " should have " + manifest.sizeBytes(entry) + " bytes, but " + found
                        + " was written");
    }

    /** Closes all files. */
    void close() throws IOException {
        channels.close();
    }
}
