package org.robber.transport.memory;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Memory that processes of one machine and one user share, as a file in {@code /dev/shm} with a random name and token. */
public final class SharedFile {
    private static final Logger LOG = LoggerFactory.getLogger(SharedFile.class);

    private static final Path FOLDER = Path.of("/dev/shm");

    /** Files that a process which is told to end would leave. */
    private static final Set<Path> NOT_DELETED = ConcurrentHashMap.newKeySet();

    /** A file is deleted once others have opened it, so the process of an old one is gone: it was killed. */
    private static final Duration OLD = Duration.ofDays(1);

    private static final Pattern NAME = Pattern.compile("robber-[0-9a-f-]{36}");

    private static final FileAttribute<Set<PosixFilePermission>> USER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    /** The token, alone in its lines of the cache. */
    private static final int HEAD_BYTES = 128;

    /** It prints a warning for the method that unmaps, so the collector has to. */
    private static final int FIRST_JAVA_THAT_WARNS = 24;

    private static final int WRITE_BYTES = 1 << 16;

    static {
        deleteOld();
        try {
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(() -> NOT_DELETED.forEach(SharedFile::delete), "delete-shared-memory"));
        } catch (IllegalStateException e) {
            LOG.debug("the process ends already", e);
        }
    }

    private final Path file;
    private final ByteBuffer mapped;

    private SharedFile(Path file, ByteBuffer mapped) {
        this.file = file;
        this.mapped = mapped;
    }

    /** Deletes what processes have left that were killed. */
    static void deleteOld() {
        FileTime old = FileTime.from(Instant.now().minus(OLD));
        try (DirectoryStream<Path> files = Files.newDirectoryStream(
                FOLDER, each -> NAME.matcher(String.valueOf(each.getFileName())).matches())) {
            for (Path file : files) {
                if (isOlder(file, old)) {
                    delete(file);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            LOG.debug("old files in {} are left", FOLDER, e);
        }
    }

    /** Another process may have deleted it in between. */
    private static boolean isOlder(Path file, FileTime time) {
        try {
            return Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).compareTo(time) < 0;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Makes a file of so many bytes, all zero. Null if the system has no place for it, or more than half of that place is taken: other programs need some, too.
     *
     * @param bytes at least 1
     */
    public static @Nullable SharedFile create(int bytes) {
        if (!hasPlace(bytes)) {
            return null;
        }
        Path file = FOLDER.resolve("robber-" + UUID.randomUUID());
        Set<StandardOpenOption> options =
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
        NOT_DELETED.add(file);
        try (FileChannel channel = FileChannel.open(file, options, USER_ONLY)) {
            // Written, not left sparse: a process that touches memory for which there is no room dies.
            long size = HEAD_BYTES + (long) bytes;
            ByteBuffer zeros = ByteBuffer.allocate(WRITE_BYTES);
            for (long at = 0; at < size; at += zeros.position()) {
                channel.write(zeros.clear().limit((int) Math.min(WRITE_BYTES, size - at)), at);
            }
            ByteBuffer mapped = channel.map(MapMode.READ_WRITE, 0, size);
            mapped.putLong(0, UUID.randomUUID().getLeastSignificantBits());
            return new SharedFile(file, mapped);
        } catch (IOException e) {
            LOG.debug("there is no memory to share", e);
            delete(file);
            return null;
        }
    }

    private static boolean hasPlace(int bytes) {
        try {
            FileStore store = Files.getFileStore(FOLDER);
            return store.getUsableSpace() - bytes > store.getTotalSpace() / 2;
        } catch (IOException e) {
            LOG.debug("there is no {}", FOLDER, e);
            return false;
        }
    }

    /**
     * Opens the file of another process. Null if it is not found here, or is another one: processes of one address may have files of their own.
     *
     * @param name as told by {@link #name}
     * @param token as told by {@link #token}
     * @param bytes with which it was made
     */
    public static @Nullable SharedFile open(String name, long token, int bytes) {
        if (!NAME.matcher(name).matches()) {
            return null;
        }
        Path file = FOLDER.resolve(name);
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return null;
        }
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            long size = HEAD_BYTES + (long) bytes;
            if (channel.size() != size) {
                return null;
            }
            ByteBuffer mapped = channel.map(MapMode.READ_WRITE, 0, size);
            return mapped.getLong(0) == token ? new SharedFile(file, mapped) : null;
        } catch (IOException e) {
            LOG.debug("{} cannot be opened", file, e);
            return null;
        }
    }

    /** The token and the name, with which another process can open it. */
    public byte[] told() {
        byte[] name = name().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(Long.BYTES + name.length)
                .putLong(token())
                .put(name)
                .array();
    }

    /** As {@link #open(String, long, int)}, by what {@link #told} says. */
    public static @Nullable SharedFile open(byte[] told, int bytes) {
        if (told.length < Long.BYTES) {
            return null;
        }
        String name = new String(told, Long.BYTES, told.length - Long.BYTES, StandardCharsets.UTF_8);
        return open(name, ByteBuffer.wrap(told).getLong(), bytes);
    }

    /** The name of the file, without its folder. */
    public String name() {
        return String.valueOf(file.getFileName());
    }

    /** What tells this file from another of its name. */
    public long token() {
        return mapped.getLong(0);
    }

    /** All of the memory. It stays for those who have it when the file is deleted. */
    public ByteBuffer memory() {
        return mapped.slice(HEAD_BYTES, mapped.capacity() - HEAD_BYTES);
    }

    /** Deletes the file, if nobody has. To be called once all have opened it. */
    public void delete() {
        delete(file);
    }

    /** Gives the memory back, which the collector does late. The process ends if a thread uses it after that. */
    public void unmap() {
        if (Runtime.version().feature() >= FIRST_JAVA_THAT_WARNS) {
            return;
        }
        try {
            Class<?> unsafe = Class.forName("sun.misc.Unsafe");
            Field instance = unsafe.getDeclaredField("theUnsafe");
            instance.setAccessible(true);
            unsafe.getMethod("invokeCleaner", ByteBuffer.class).invoke(instance.get(null), mapped);
        } catch (ReflectiveOperationException e) {
            LOG.debug("the memory of {} is left to the collector", file, e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
            NOT_DELETED.remove(file);
        } catch (IOException e) {
            LOG.debug("{} is left", file, e);
        }
    }
}
