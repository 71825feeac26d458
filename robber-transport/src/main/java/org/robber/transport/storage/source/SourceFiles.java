package org.robber.transport.storage.source;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.storage.file.FileFailures;
import org.robber.transport.storage.file.RawPaths;

/**
 * Opens the files of a scanned tree for reading, without following any link below the directory that was scanned. Each
 * directory is opened inside its parent's open handle, so a directory that is swapped for a link leads nowhere. Thread-safe.
 *
 * <p>Where the JDK has no such handles, only a link in the place of the file itself is refused.
 */
final class SourceFiles implements Closeable {
    private static final Set<OpenOption> READ = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    private static final int NONE = -2;
    private static final int BASE = -1;

    private final ScannedTree tree;
    private final Manifest manifest;

    /** Handles that no thread uses now: files in one directory are mostly opened one after the other. */
    private final ConcurrentLinkedQueue<OpenDirectory> idle = new ConcurrentLinkedQueue<>();

    private volatile boolean closed;

    SourceFiles(ScannedTree tree) {
        this.tree = tree;
        this.manifest = tree.manifest();
    }

    /**
     * Opens a file.
     *
     * @throws RobberException {@code SOURCE_CHANGED} if it, or a directory above it, is gone or is of another kind; {@code
     *     SOURCE} if it can't be opened
     */
    FileChannel open(int entry) throws IOException {
        OpenDirectory directory = idle.poll();
        if (directory == null) {
            directory = new OpenDirectory();
        }
        try {
            return directory.open(entry);
        } finally {
            idle.add(directory);
            if (closed) {
                closeIdle();
            }
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        closeIdle();
    }

    private void closeIdle() throws IOException {
        for (OpenDirectory directory = idle.poll(); directory != null; directory = idle.poll()) {
            directory.close();
        }
    }

    /** The directory whose file was opened last. Used by one thread at a time. */
    private final class OpenDirectory implements Closeable {
        private int entry = NONE;
        private int origin;
        private @Nullable DirectoryStream<Path> stream;

        FileChannel open(int file) throws IOException {
            Path path = tree.path(file);
            try {
                if (!(go(directoryOf(file), tree.origin(file)) instanceof SecureDirectoryStream<Path> handle)) {
                    return FileChannel.open(path, READ);
                }
                check(handle, path, BasicFileAttributes::isRegularFile);
                try {
                    return (FileChannel) handle.newByteChannel(path.getFileName(), READ);
                } catch (IOException e) {
                    // It may have been replaced since it was looked at.
                    check(handle, path, BasicFileAttributes::isRegularFile);
                    throw e;
                }
            } catch (NoSuchFileException e) {
                throw FileFailures.changed(path, "vanished");
            } catch (IOException e) {
                throw FileFailures.source(
                        "read", "cannot read " + RawPaths.text(path) + ": " + FileFailures.reason(e), e);
            }
        }

        private DirectoryStream<Path> go(int wanted, int source) throws IOException {
            DirectoryStream<Path> there = stream;
            if (there != null && entry == wanted && origin == source) {
                return there;
            }
            close();
            there = openDirectory(wanted, source);
            stream = there;
            entry = wanted;
            origin = source;
            return there;
        }

        @Override
        public void close() throws IOException {
            DirectoryStream<Path> old = stream;
            stream = null;
            entry = NONE;
            if (old != null) {
                old.close();
            }
        }
    }

    /** The entry of the directory that holds the file, or {@link #BASE} for the directory that was scanned. */
    private int directoryOf(int entry) {
        int parent = manifest.parent(entry);
        return parent == 0 && manifest.isRooted() ? BASE : parent;
    }

    @SuppressWarnings("StreamResourceLeak") // the caller closes it
    private DirectoryStream<Path> openDirectory(int entry, int origin) throws IOException {
        if (entry == BASE) {
            return Files.newDirectoryStream(tree.base(origin));
        }
        try (DirectoryStream<Path> parent = openDirectory(directoryOf(entry), origin)) {
            Path path = tree.path(entry, origin);
            if (!(parent instanceof SecureDirectoryStream<Path> handle)) {
                return Files.newDirectoryStream(path);
            }
            check(handle, path, BasicFileAttributes::isDirectory);
            try {
                return handle.newDirectoryStream(path.getFileName(), LinkOption.NOFOLLOW_LINKS);
            } catch (IOException e) {
                check(handle, path, BasicFileAttributes::isDirectory);
                throw e;
            }
        }
    }

    /** Looks before it is opened, too: opening a fifo would wait for a writer. */
    private static void check(SecureDirectoryStream<Path> parent, Path path, Predicate<BasicFileAttributes> isAsScanned)
            throws IOException {
        BasicFileAttributes now = parent.getFileAttributeView(
                        path.getFileName(), BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes();
        if (!isAsScanned.test(now)) {
            throw FileFailures.changed(path, "was replaced");
        }
    }
}
