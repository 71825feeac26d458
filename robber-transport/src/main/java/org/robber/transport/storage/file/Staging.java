package org.robber.transport.storage.file;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.transport.manifest.Manifest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory that a copy is written to before it is renamed into place. It is in the same directory as the final names,
 * only its owner may enter it, and one process at a time uses it. It stays if that process ends before the copy is
 * complete; the next process that makes the same copy takes it over. It holds {@code tree}, the copy; {@code journal}, its
 * verified pieces; {@code lock}.
 */
public final class Staging {
    private static final Logger LOG = LoggerFactory.getLogger(Staging.class);
    private static final int OWNER_ALL = 0700;
    private static final int PERMISSION_BITS = 0777;
    private static final String PREFIX = ".robber-";
    private static final String PHASE = "prepare";

    private final Path directory;
    private final String name;
    private final boolean fresh;
    private final FileChannel lock;

    private Staging(Path directory, String name, boolean fresh, FileChannel lock) {
        this.directory = directory;
        this.name = name;
        this.fresh = fresh;
        this.lock = lock;
    }

    /**
     * Makes the directory {@code .robber-KEY.partial}, or takes over what an earlier run left there.
     *
     * @throws RobberException {@code DESTINATION} if another process uses it
     */
    public static Staging enter(Destination destination, Manifest manifest, String key) {
        Path path = path(destination, manifest, key);
        try {
            boolean fresh = make(path);
            if (!fresh && !(isOurs(path) && canBeLocked(path))) {
                throw FileFailures.destination(
                        PHASE,
                        RawPaths.text(path)
                                + " is not what an earlier run of this user has left: remove it, or choose another"
                                + " destination",
                        null);
            }
            Staging staging = new Staging(path, key + suffix(destination.singlePlace()), fresh, locked(path, fresh));
            boolean entered = false;
            try {
                if (fresh || !staging.holdsTree()) {
                    staging.clear();
                }
                entered = true;
                return staging;
            } finally {
                if (!entered) {
                    end(staging, null, !fresh);
                }
            }
        } catch (IOException e) {
            throw FileFailures.destination(PHASE, path, e);
        }
    }

    /** Whether an earlier run has left it, or another process uses it. */
    public static boolean isThere(Destination destination, Manifest manifest, String key) {
        return Files.isDirectory(path(destination, manifest, key), LinkOption.NOFOLLOW_LINKS);
    }

    private static Path path(Destination destination, Manifest manifest, String key) {
        String name = PREFIX + key + suffix(destination.singlePlace()) + ".partial";
        while (isTopName(manifest, name)) {
            name += "_";
        }
        return destination.directory().resolve(name);
    }

    /** Leaves no new directory behind that cannot be locked. */
    private static FileChannel locked(Path path, boolean fresh) throws IOException {
        try {
            return lock(path, fresh);
        } catch (IOException e) {
            if (fresh) {
                Files.deleteIfExists(path);
            }
            throw e;
        }
    }

    /** Whether a directory of this name may hold a half-written copy of some job. */
    public static boolean isStaging(String name) {
        return name.startsWith(PREFIX) && name.endsWith(".partial");
    }

    private static boolean make(Path path) throws IOException {
        try {
            Files.createDirectory(
                    path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            checkUsable(path);
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        }
    }

    /** Leaves no new directory behind that the next run could not read. */
    private static void checkUsable(Path path) throws IOException {
        int mode = FileStat.of(path).mode();
        if ((mode & OWNER_ALL) != OWNER_ALL) {
            Files.delete(path);
            throw FileFailures.destination(
                    PHASE,
                    RawPaths.text(path) + " would have the mode " + Integer.toOctalString(mode & PERMISSION_BITS)
                            + ": the umask of this process takes rights from the owner of new files; set another, such"
                            + " as umask 022",
                    null);
        }
    }

    /** Whether no other user can have put anything there: every user may make a directory of this name in {@code /tmp}. */
    private static boolean isOurs(Path path) throws IOException {
        FileStat stat = FileStat.of(path);
        // A directory that is made in one of a group has that one's set-group-ID bit, which lets nobody in.
        if (!stat.isDirectory() || (stat.mode() & PERMISSION_BITS) != OWNER_ALL) {
            return false;
        }
        Path mine = Files.createTempFile(path, "owner", null);
        try {
            return Files.getOwner(mine, LinkOption.NOFOLLOW_LINKS)
                    .equals(Files.getOwner(path, LinkOption.NOFOLLOW_LINKS));
        } finally {
            Files.delete(mine);
        }
    }

    /** Opening a fifo would wait for its reader. */
    private static boolean canBeLocked(Path path) throws IOException {
        FileStat stat = FileStat.ofAny(lockFile(path));
        return stat == null || stat.isFile();
    }

    private static Path lockFile(Path path) {
        return path.resolve("lock");
    }

    /** The kernel gives the lock back when the process ends, in whatever way. */
    private static FileChannel lock(Path path, boolean fresh) throws IOException {
        FileChannel channel = FileChannel.open(
                lockFile(path), StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        boolean locked = false;
        try {
            locked = channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            LOG.debug("{} is locked by this process", path);
        } catch (IOException e) {
            LOG.debug("{} is on a file system that knows no locks", path, e);
            // then only one that was made by this process is certainly used by no other
            locked = fresh;
        }
        if (!locked) {
            channel.close();
            throw FileFailures.destination(
                    PHASE,
                    RawPaths.text(path)
                            + " is in use: another node of this job, or another job with the same source, writes to the"
                            + " same destination; each node needs a destination of its own",
                    null);
        }
        return channel;
    }

    /** Whether this process made it. */
    public boolean isFresh() {
        return fresh;
    }

    /** The directory itself. */
    public Path directory() {
        return directory;
    }

    /** The key, with what tells several copies of one file apart. */
    public String name() {
        return name;
    }

    /** What distinguishes the copies of one file under several names. */
    public static String suffix(@Nullable Path singlePlace) {
        return singlePlace == null ? "" : "-" + Integer.toHexString(Arrays.hashCode(RawPaths.name(singlePlace)));
    }

    /** The copy. */
    public Path tree() {
        return directory.resolve("tree");
    }

    /** What of the copy was verified. */
    public Path journal() {
        return directory.resolve("journal");
    }

    /**
     * Whether there is a copy to go on with. No other user may enter the directory, but a tree that was copied here before may
     * have brought one of this name, and a link in it that leads out of the destination.
     */
    private boolean holdsTree() throws IOException {
        FileStat stat = FileStat.ofAny(tree());
        return stat != null && stat.isDirectory();
    }

    /** Throws the copy away, for another to begin. */
    public void clear() throws IOException {
        delete(journal());
        delete(tree());
        Files.createDirectory(tree());
    }

    /** Leaves it for the next run. */
    void leave() throws IOException {
        lock.close();
    }

    /** Removes it. */
    void remove() throws IOException {
        try {
            delete(directory);
        } finally {
            lock.close();
        }
    }

    /**
     * Leaves a staged copy for the next run, or removes it and the directories that were made for it. A failure is only
     * logged: the reason to end matters more.
     */
    public static void end(@Nullable Staging staging, @Nullable Destination made, boolean keep) {
        try {
            if (staging != null && keep) {
                staging.leave();
                return;
            }
            if (staging != null) {
                staging.remove();
            }
            if (made != null) {
                made.undo();
            }
        } catch (IOException e) {
            LOG.warn("Cannot remove {}: {}", staging == null ? made : staging.directory(), FileFailures.reason(e));
        }
    }

    /** Whether the tree itself has an entry where the directory would be, say because it is a copy of an aborted job. */
    private static boolean isTopName(Manifest manifest, String name) {
        byte[] bytes = name.getBytes(US_ASCII);
        for (int i = 0; i < manifest.entryCount(); i++) {
            if (Destination.isTop(manifest, i) && Arrays.equals(manifest.name(i), bytes)) {
                return true;
            }
        }
        return false;
    }

    /** Removes the directory and all that is in it; follows no link. */
    public static void delete(Path directory) throws IOException {
        FileStat stat = FileStat.ofAny(directory);
        if (stat == null) {
            return;
        }
        if (stat.isDirectory()) {
            if ((stat.mode() & OWNER_ALL) != OWNER_ALL) {
                AttributeWriter.setMode(directory, OWNER_ALL);
            }
            for (Path child : list(directory)) {
                delete(child);
            }
        }
        Files.delete(directory);
    }

    /** The stream is closed before anyone goes deeper: a deep tree would hold too many files open. */
    private static List<Path> list(Path directory) throws IOException {
        List<Path> children = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            stream.forEach(children::add);
        }
        return children;
    }
}
