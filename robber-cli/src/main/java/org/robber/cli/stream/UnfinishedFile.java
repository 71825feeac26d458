package org.robber.cli.stream;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.regex.Pattern;
import org.robber.transport.storage.file.RawPaths;
import org.robber.transport.storage.file.Staging;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that gets its name when all is written. It is locked until then. A killed process leaves a file without a lock, and the next stream to the same file
 * removes it.
 */
final class UnfinishedFile {
    private static final Logger LOG = LoggerFactory.getLogger(UnfinishedFile.class);
    private static final String SUFFIX = ".robber-stream";

    /** With two dots, a number and the suffix, a name has 255 bytes at most. */
    private static final int MOST_NAME_BYTES = 200;

    private final Path place;
    private final Path file;
    private final FileChannel channel;

    private UnfinishedFile(Path place, Path file, FileChannel channel) {
        this.place = place;
        this.file = file;
        this.channel = channel;
    }

    /** A new one beside the place where the file will be. */
    static UnfinishedFile of(Path file) throws IOException {
        Path folder = folder(file);
        String prefix = prefix(file);
        removeLeftovers(folder, prefix);
        while (true) {
            Path place = Files.createTempFile(folder, prefix, SUFFIX);
            // the permissions of any new file, not those of a secret
            Files.delete(place);
            FileChannel channel = FileChannel.open(place, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            if (isLocked(channel) && Files.exists(place)) {
                return new UnfinishedFile(place, file, channel);
            }
            // Another stream to the same file took it for a leftover, before it was locked.
            channel.close();
        }
    }

    /** The beginning of the name. It has to fit where the name of the file does. */
    private static String prefix(Path file) {
        boolean fits = RawPaths.name(file).length <= MOST_NAME_BYTES;
        return "." + (fits ? String.valueOf(file.getFileName()) : "stream" + Staging.suffix(file)) + ".";
    }

    /** Also where the file system has no locks: nobody removes a file there that it cannot lock. */
    private static boolean isLocked(FileChannel channel) {
        try {
            return channel.tryLock() != null;
        } catch (IOException e) {
            LOG.debug("the file system has no locks", e);
            return true;
        }
    }

    /** As far as this user may see and remove them. */
    private static void removeLeftovers(Path folder, String prefix) {
        Pattern name = Pattern.compile(Pattern.quote(prefix) + "\\d+" + Pattern.quote(SUFFIX));
        try (DirectoryStream<Path> left = Files.newDirectoryStream(
                folder, path -> name.matcher(path.getFileName().toString()).matches())) {
            left.forEach(UnfinishedFile::removeUnlessLocked);
        } catch (IOException | DirectoryIteratorException e) {
            LOG.debug("leftovers in {} are not looked for", folder, e);
        }
    }

    private static void removeUnlessLocked(Path left) {
        try (FileChannel channel = FileChannel.open(left, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
                FileLock lock = channel.tryLock()) {
            if (lock != null) {
                Files.deleteIfExists(left);
                LOG.info("removed {}, which a stream has left that did not end", left);
            }
        } catch (IOException | OverlappingFileLockException e) {
            LOG.debug("{} stays", left, e);
        }
    }

    /** To write to; not to be closed, since the lock ends with it. */
    FileChannel channel() {
        return channel;
    }

    /**
     * Gives the file its name.
     *
     * @param toDisk whether its bytes are on the disk before, and its name when this returns
     */
    void commit(boolean toDisk) throws IOException {
        if (toDisk) {
            channel.force(true);
        }
        // Some file systems tell only now that they could not write.
        channel.close();
        Files.move(place, file, StandardCopyOption.ATOMIC_MOVE);
        if (toDisk) {
            try (FileChannel opened = FileChannel.open(folder(file), StandardOpenOption.READ)) {
                opened.force(true);
            }
        }
    }

    /** Every file is in a folder. */
    private static Path folder(Path file) {
        return Objects.requireNonNull(file.toAbsolutePath().getParent());
    }

    /** Removes what is written of it. */
    void discard() throws IOException {
        Files.deleteIfExists(place);
        channel.close();
    }
}
