package org.robber.transport.storage.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import org.robber.transport.manifest.EntryAttributes;

/**
 * Sets modes and times with few system calls. A file is created with its mode. It is changed afterwards only where the
 * process's mask, special bits, or a mode that locks out the owner require it.
 */
public final class AttributeWriter {
    /** Needed to write a file, read it back, and set its times. */
    public static final int OWNER_FILE_BITS = 0600;

    private static final int PERMISSION_BITS = 0777;
    private static final int SET_ID_BITS = 06000;
    private static final PosixFilePermission[] PERMISSIONS = PosixFilePermission.values();

    private final FileTime atime = FileTime.from(Clock.systemUTC().instant());
    /** Permission bits that the file system lets through when a file is created. */
    private final int grantedBits;

    private AttributeWriter(int grantedBits) {
        this.grantedBits = grantedBits;
    }

    /** Finds out by a trial in this directory, which is ours alone, what becomes of modes there. */
    public static AttributeWriter probing(Path directory) throws IOException {
        Path probe = directory.resolve("probe");
        // an earlier run may have been killed between the two
        Files.deleteIfExists(probe);
        Files.newByteChannel(
                        probe,
                        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                        asAttribute(PERMISSION_BITS))
                .close();
        int granted = FileStat.of(probe).mode();
        Files.delete(probe);
        return new AttributeWriter(granted & PERMISSION_BITS);
    }

    /** What to create a file with that shall have this mode in the end. */
    public FileAttribute<Set<PosixFilePermission>> forCreation(int mode) {
        return asAttribute((mode | OWNER_FILE_BITS) & PERMISSION_BITS);
    }

    /** The same for a directory, which its owner must be able to fill. */
    public FileAttribute<Set<PosixFilePermission>> forDirectoryCreation(int mode) {
        return asAttribute((mode | 0700) & PERMISSION_BITS);
    }

    private static FileAttribute<Set<PosixFilePermission>> asAttribute(int mode) {
        Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        for (int i = 0; i < PERMISSIONS.length; i++) {
            // The constants go from the owner's right to read to everyone's right to execute, as the bits do.
            if ((mode & (0400 >> i)) != 0) {
                permissions.add(PERMISSIONS[i]);
            }
        }
        return PosixFilePermissions.asFileAttribute(permissions);
    }

    /**
     * What remains of a file's mode: not the bits that let everyone run it with the rights of its owner or group, since these
     * are not kept. A program that was its author's would else become one of the user, perhaps root, that makes the copy.
     */
    public static int ofFile(int mode) {
        return mode & ~SET_ID_BITS;
    }

    /** Sets the mode of a file of ours that was created for it; mostly there is nothing to do. */
    public void finishMode(Path file, int wanted) throws IOException {
        int mode = ofFile(wanted);
        if (((mode | OWNER_FILE_BITS) & PERMISSION_BITS & grantedBits) != mode) {
            setMode(file, mode);
        }
    }

    /** Sets the mode, special bits included. */
    public static void setMode(Path path, int mode, LinkOption... options) throws IOException {
        Files.setAttribute(path, "unix:mode", mode, options);
    }

    /** Sets the time of the last change; of a link, its own. */
    public void setTimes(Path path, EntryAttributes attributes, LinkOption... options) throws IOException {
        long seconds = attributes.mtimeSeconds();
        // Of times before 1970, the JDK sets only whole seconds.
        Instant mtime = Instant.ofEpochSecond(seconds, seconds < 0 ? 0 : attributes.mtimeNanos());
        // With both times given, the JDK needs not ask for the other first.
        Files.getFileAttributeView(path, BasicFileAttributeView.class, options)
                .setTimes(FileTime.from(mtime), atime, null);
    }
}
