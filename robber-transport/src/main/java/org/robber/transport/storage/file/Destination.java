package org.robber.transport.storage.file;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.transport.manifest.Manifest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A destination as rsync understands it. A tree goes into the directory. A single file goes into it too, if the destination
 * is a directory or ends with a slash; otherwise the destination is the file's new name. If the path is missing, its last
 * directory is made.
 *
 * @param directory takes the top entries; exists, unless the destination was only looked for
 * @param wasMade whether it was made for this
 * @param singlePlace where the single entry goes if the destination named that itself, else null
 */
public record Destination(
        Path directory, boolean wasMade, @Nullable Path singlePlace) {
    private static final Logger LOG = LoggerFactory.getLogger(Destination.class);
    private static final String PHASE = "prepare";

    /**
     * Finds the directory, or makes it.
     *
     * @throws RobberException {@code DESTINATION} if there can be none
     */
    public static Destination prepare(String destination, Manifest manifest) {
        return of(destination, manifest, /* makes= */ true);
    }

    /**
     * Finds the directory, which need not be there.
     *
     * @throws RobberException {@code DESTINATION} if there can be none
     */
    public static Destination find(String destination, Manifest manifest) {
        return of(destination, manifest, /* makes= */ false);
    }

    private static Destination of(String destination, Manifest manifest, boolean makes) {
        Path path;
        try {
            path = Path.of(destination).toAbsolutePath();
        } catch (InvalidPathException e) {
            throw FileFailures.destination(PHASE, "bad destination " + destination + ": " + e.getReason(), null);
        }
        boolean mayBeFile = manifest.isSingle() && !destination.endsWith("/") && path.getParent() != null;
        try {
            FileStat stat = followed(path);
            if (stat != null && stat.isDirectory()) {
                return new Destination(path, false, null);
            }
            if (mayBeFile) {
                return asFile(path);
            }
            if (stat != null) {
                throw FileFailures.destination(
                        PHASE, "the destination " + destination + " is " + stat.typeText() + ", not a directory", null);
            }
            return new Destination(path, makes && make(path), null);
        } catch (NoSuchFileException e) {
            Path missing = parent(path);
            throw Files.isSymbolicLink(missing)
                    ? leadsNowhere(missing, e)
                    : FileFailures.destination(
                            PHASE, "there is no directory " + RawPaths.text(missing) + "; make it first", e);
        } catch (IOException e) {
            throw FileFailures.destination(PHASE, path, e);
        }
    }

    /** The destination of a copy that may be there. */
    public static Destination ofCopy(String destination) {
        Path path = Path.of(destination).toAbsolutePath();
        Path parent = path.getParent();
        return Files.isDirectory(path) || parent == null
                ? new Destination(path, false, null)
                : new Destination(parent, false, path);
    }

    /** Makes the directory; whether it was this job that did. */
    private static boolean make(Path directory) throws IOException {
        try {
            Files.createDirectory(directory);
            return true;
        } catch (FileAlreadyExistsException e) {
            if (Files.isDirectory(directory)) {
                return false;
            }
            if (Files.isSymbolicLink(directory)) {
                throw leadsNowhere(directory, e);
            }
            throw e;
        }
    }

    private static RobberException leadsNowhere(Path link, IOException cause) {
        return FileFailures.destination(
                PHASE, RawPaths.text(link) + " is a link that leads nowhere; remove it, or make its target", cause);
    }

    private static Destination asFile(Path path) throws IOException {
        Path parent = parent(path);
        if (!FileStat.ofTarget(parent).isDirectory()) {
            throw FileFailures.destination(PHASE, RawPaths.text(parent) + " is not a directory", null);
        }
        return new Destination(parent, false, path);
    }

    private static Path parent(Path path) {
        Path parent = path.getParent();
        return parent == null ? path : parent;
    }

    private static @Nullable FileStat followed(Path path) throws IOException {
        try {
            return FileStat.ofTarget(path);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /** Whether the entry lies directly in the directory. */
    public static boolean isTop(Manifest manifest, int entry) {
        return manifest.isRooted() ? manifest.parent(entry) == 0 : manifest.parent(entry) < 0;
    }

    /** Where the entry will be in the end. */
    public Path path(Manifest manifest, int entry) {
        return singlePlace != null ? singlePlace : RawPaths.resolve(directory, manifest.path(entry));
    }

    /** Takes the directory away again if it was made for this, and is empty. */
    void undo() throws IOException {
        if (wasMade) {
            try {
                Files.deleteIfExists(directory);
            } catch (DirectoryNotEmptyException e) {
                LOG.info("{} stays, since there is something in it", directory);
            }
        }
    }
}
