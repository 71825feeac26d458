package org.robber.transport.storage.copy;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.transport.manifest.EntryKind;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.storage.file.AttributeWriter;
import org.robber.transport.storage.file.Destination;
import org.robber.transport.storage.file.FileFailures;
import org.robber.transport.storage.file.FileStat;
import org.robber.transport.storage.file.RawPaths;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves a finished tree to its place. Where nothing is in the way, a whole directory moves at once. Existing directories are
 * merged with, existing files and links are replaced, as rsync does: links in the destination are never followed, and a
 * directory with contents never gives way to a file.
 */
final class Installation {
    private static final Logger LOG = LoggerFactory.getLogger(Installation.class);

    /** What the owner must be allowed for entries to move in and out of a directory, and for it to move itself. */
    static final int OWNER_DIRECTORY_BITS = 0700;

    /** Each but the first because something has appeared or vanished in the entry's place since it was looked at. */
    private static final int MOST_ATTEMPTS = 10;

    private final Manifest manifest;
    private final Destination destination;
    private final StagedTree staged;
    private final AttributeWriter attributes;

    /** Directories whose mode, or mode and time, must wait until everything is in its place; parents first. */
    private final List<LateDirectory> late = new ArrayList<>();

    private record LateDirectory(int entry, boolean isMerged) {}

    Installation(Manifest manifest, Destination destination, StagedTree staged, AttributeWriter attributes) {
        this.manifest = manifest;
        this.destination = destination;
        this.staged = staged;
        this.attributes = attributes;
    }

    /**
     * Looks for directories that are in the way of files, and for those of another file system, which nothing can be moved to. Done before anything is
     * transferred.
     *
     * @throws RobberException {@code DESTINATION}, naming one
     */
    static void check(Manifest manifest, Destination destination) {
        long device = device(destination.directory());
        if (device < 0) {
            return;
        }
        BitSet foreign = new BitSet();
        for (int i = manifest.isRooted() ? 1 : 0; i < manifest.entryCount(); ) {
            Path target = destination.path(manifest, i);
            FileStat existing = existing(target);
            boolean merges = manifest.kind(i) == EntryKind.DIRECTORY && existing != null && existing.isDirectory();
            if (existing != null && merges) {
                foreign.set(i, existing.device() != device);
            } else if (manifest.parent(i) >= 0 && foreign.get(manifest.parent(i))) {
                throw onOtherFileSystem(destination.path(manifest, manifest.parent(i)), destination.directory());
            }
            if (manifest.kind(i) != EntryKind.DIRECTORY && existing != null && existing.isDirectory()) {
                checkEmpty(target);
            }
            i = merges ? i + 1 : manifest.subtreeEnd(i);
        }
    }

    /** The number of its file system; -1 if the directory does not exist. */
    private static long device(Path directory) {
        try {
            return FileStat.ofTarget(directory).device();
        } catch (NoSuchFileException e) {
            return -1;
        } catch (IOException e) {
            throw FileFailures.destination("prepare", directory, e);
        }
    }

    private static RobberException onOtherFileSystem(Path directory, Path destination) {
        return FileFailures.destination(
                "prepare",
                RawPaths.text(directory) + " is on another file system than " + RawPaths.text(destination)
                        + ": make it the destination of a copy of its own, and leave it out here",
                null);
    }

    private static void checkEmpty(Path directory) {
        try (var children = Files.newDirectoryStream(directory)) {
            if (children.iterator().hasNext()) {
                throw inTheWay(directory, null);
            }
        } catch (IOException e) {
            throw FileFailures.destination("prepare", directory, e);
        }
    }

    private static RobberException inTheWay(Path directory, @Nullable IOException cause) {
        return FileFailures.destination(
                "prepare",
                RawPaths.text(directory)
                        + " is a directory with contents where a file or link must go; remove it first",
                cause);
    }

    private static @Nullable FileStat existing(Path path) {
        try {
            return FileStat.ofAny(path);
        } catch (IOException e) {
            throw FileFailures.destination("prepare", path, e);
        }
    }

    /** Moves everything. If it fails, entries that were moved before stay in their new place. */
    void run() {
        Path path = destination.directory();
        try {
            if (manifest.isRooted()) {
                late.add(new LateDirectory(0, true));
            }
            int entry = manifest.isRooted() ? 1 : 0;
            while (entry < manifest.entryCount()) {
                path = destination.path(manifest, entry);
                entry = install(entry, path);
            }
        } catch (IOException e) {
            throw FileFailures.destination("commit", path, e);
        }
    }

    /** Moves an entry, and returns the next one to move. Another job may do the same with the same names just now. */
    private int install(int entry, Path target) throws IOException {
        for (int attempt = 1; ; attempt++) {
            FileStat existing = FileStat.ofAny(target);
            try {
                return install(entry, target, existing);
            } catch (FileSystemException e) {
                if (attempt == MOST_ATTEMPTS || isSameKind(existing, FileStat.ofAny(target))) {
                    throw e;
                }
            }
        }
    }

    private static boolean isSameKind(@Nullable FileStat before, @Nullable FileStat after) {
        if (before == null || after == null) {
            return before == null && after == null;
        }
        return before.isDirectory() == after.isDirectory();
    }

    private int install(int entry, Path target, @Nullable FileStat existing) throws IOException {
        boolean isDirectory = manifest.kind(entry) == EntryKind.DIRECTORY;
        if (existing != null && existing.isDirectory()) {
            if (isDirectory) {
                letOwnerIn(target, existing.mode());
                late.add(new LateDirectory(entry, true));
                return entry + 1;
            }
            makeWay(target);
        } else if (existing != null && isDirectory) {
            Files.delete(target);
        }
        // A rename: replaces files and links at once, and follows neither.
        Files.move(staged.path(entry), target, StandardCopyOption.ATOMIC_MOVE);
        int end = manifest.subtreeEnd(entry);
        for (int i = entry; i < end; i++) {
            if (manifest.kind(i) == EntryKind.DIRECTORY
                    && (manifest.mode(i) & OWNER_DIRECTORY_BITS) != OWNER_DIRECTORY_BITS) {
                late.add(new LateDirectory(i, false));
            }
        }
        return end;
    }

    private static void letOwnerIn(Path directory, int mode) throws IOException {
        if ((mode & OWNER_DIRECTORY_BITS) == OWNER_DIRECTORY_BITS) {
            return;
        }
        try {
            AttributeWriter.setMode(directory, mode | OWNER_DIRECTORY_BITS, LinkOption.NOFOLLOW_LINKS);
        } catch (FileSystemException e) {
            if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
                throw e;
            }
            // To follow no link, the JDK opens the directory, which needs the right to read it. Java 25 tries to write
            // it then.
            LOG.debug("{} is not opened to change its mode: {}", directory, e.toString());
            AttributeWriter.setMode(directory, OWNER_DIRECTORY_BITS);
        }
    }

    private static void makeWay(Path directory) throws IOException {
        try {
            Files.delete(directory);
        } catch (DirectoryNotEmptyException e) {
            throw inTheWay(directory, e);
        }
    }

    /**
     * Gives directories what had to wait; to be called when the staging directory is gone. A directory that was there
     * before, and belongs to another user, keeps what it has: everything is in its place by now.
     */
    void finish() {
        for (int i = late.size() - 1; i >= 0; i--) {
            int entry = late.get(i).entry();
            // The destination that the user named may be a link to a directory; those inside may not.
            boolean isRoot = entry == 0 && manifest.isRooted();
            LinkOption[] options = isRoot ? new LinkOption[0] : new LinkOption[] {LinkOption.NOFOLLOW_LINKS};
            Path path = isRoot ? destination.directory() : destination.path(manifest, entry);
            try {
                if (late.get(i).isMerged()) {
                    attributes.setTimes(path, manifest.attributes(entry), options);
                }
                AttributeWriter.setMode(path, manifest.mode(entry), options);
            } catch (IOException e) {
                if (!late.get(i).isMerged() || !FileFailures.isRefusal(e)) {
                    throw FileFailures.destination("commit", path, e);
                }
                LOG.warn("{} keeps its own mode and time: {}", path, FileFailures.reason(e));
            }
        }
    }
}
