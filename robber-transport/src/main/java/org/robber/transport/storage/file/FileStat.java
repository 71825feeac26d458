package org.robber.transport.storage.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.robber.transport.manifest.EntryAttributes;

/**
 * Attributes of a file, read with one system call.
 *
 * @param typeAndMode type and permission bits, as in {@code st_mode}
 * @param inode number of the file in its file system
 * @param device number of its file system
 * @param links how many names it has there
 */
public record FileStat(int typeAndMode, long sizeBytes, long inode, long device, int links, Instant mtime) {
    private static final String WANTED = "unix:mode,size,ino,dev,nlink,lastModifiedTime";
    private static final int TYPE_MASK = 0170000;
    private static final int TYPE_FIFO = 0010000;
    private static final int TYPE_CHARACTER_DEVICE = 0020000;
    private static final int TYPE_DIRECTORY = 0040000;
    private static final int TYPE_BLOCK_DEVICE = 0060000;
    private static final int TYPE_FILE = 0100000;
    private static final int TYPE_SYMLINK = 0120000;
    private static final int TYPE_SOCKET = 0140000;
    private static final int MODE_MASK = 07777;

    /** Reads the path itself, even if it is a link. */
    public static FileStat of(Path path) throws IOException {
        return read(path, LinkOption.NOFOLLOW_LINKS);
    }

    /** Reads what the path leads to. */
    public static FileStat ofTarget(Path path) throws IOException {
        return read(path);
    }

    /** Reads the path itself; null if nothing exists there. */
    public static @Nullable FileStat ofAny(Path path) throws IOException {
        try {
            return of(path);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private static FileStat read(Path path, LinkOption... options) throws IOException {
        Map<String, Object> attributes = Files.readAttributes(path, WANTED, options);
        return new FileStat(
                (Integer) attribute(attributes, "mode"),
                (Long) attribute(attributes, "size"),
                (Long) attribute(attributes, "ino"),
                (Long) attribute(attributes, "dev"),
                (Integer) attribute(attributes, "nlink"),
                ((FileTime) attribute(attributes, "lastModifiedTime")).toInstant());
    }

    private static Object attribute(Map<String, Object> attributes, String name) {
        Object value = attributes.get(name);
        if (value == null) {
            throw new IllegalStateException("the file system does not tell the " + name + " of its files");
        }
        return value;
    }

    public boolean isFile() {
        return (typeAndMode & TYPE_MASK) == TYPE_FILE;
    }

    public boolean isDirectory() {
        return (typeAndMode & TYPE_MASK) == TYPE_DIRECTORY;
    }

    public boolean isSymlink() {
        return (typeAndMode & TYPE_MASK) == TYPE_SYMLINK;
    }

    /** Permission bits, 0..07777. */
    public int mode() {
        return typeAndMode & MODE_MASK;
    }

    /** The type for people, such as {@code a fifo}. */
    public String typeText() {
        return switch (typeAndMode & TYPE_MASK) {
            case TYPE_FILE -> "a file";
            case TYPE_DIRECTORY -> "a directory";
            case TYPE_SYMLINK -> "a link";
            case TYPE_FIFO -> "a fifo";
            case TYPE_SOCKET -> "a socket";
            case TYPE_CHARACTER_DEVICE, TYPE_BLOCK_DEVICE -> "a device";
            default -> "of an unknown type";
        };
    }

    /** Mode and time for a manifest; a time out of range becomes the nearest in range. */
    public EntryAttributes attributes() {
        long seconds =
                Math.max(-EntryAttributes.MAX_SECONDS, Math.min(EntryAttributes.MAX_SECONDS, mtime.getEpochSecond()));
        return new EntryAttributes(mode(), seconds, mtime.getNano());
    }
}
