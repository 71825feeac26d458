package org.robber.transport.mesh;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.robber.core.meeting.MeshMessage.Share;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Memory that two processes of one machine share, with a {@link SharedRing} for each direction. One creates it as a file, which the other deletes once it has
 * opened it.
 */
final class SharedMemory {
    private static final Logger LOG = LoggerFactory.getLogger(SharedMemory.class);

    private static final Path FOLDER = Path.of("/dev/shm");

    private static final Pattern NAME = Pattern.compile("robber-[0-9a-f-]{36}");

    /** The token, alone in its line of the cache. */
    private static final int HEAD_BYTES = 128;

    private static final int BYTES = HEAD_BYTES + 2 * SharedRing.BYTES;

    private final Path file;
    private final long token;
    private final SharedRing out;
    private final SharedRing in;

    private SharedMemory(Path file, ByteBuffer memory, boolean isCreator) {
        this.file = file;
        this.token = memory.getLong(0);
        SharedRing first = new SharedRing(memory.slice(HEAD_BYTES, SharedRing.BYTES));
        SharedRing second = new SharedRing(memory.slice(HEAD_BYTES + SharedRing.BYTES, SharedRing.BYTES));
        this.out = isCreator ? first : second;
        this.in = isCreator ? second : first;
        in.open();
    }

    /** Null if the system has no place for it. */
    static @Nullable SharedMemory create() {
        if (!Files.isDirectory(FOLDER)) {
            return null;
        }
        UUID random = UUID.randomUUID();
        Path file = FOLDER.resolve("robber-" + random);
        Set<StandardOpenOption> options =
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try (FileChannel channel = FileChannel.open(
                file, options, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            // Written, not left sparse: a process that touches memory for which there is no room dies.
            ByteBuffer zeros = ByteBuffer.allocate(BYTES);
            zeros.putLong(0, random.getMostSignificantBits());
            while (zeros.hasRemaining()) {
                channel.write(zeros);
            }
            return new SharedMemory(file, channel.map(MapMode.READ_WRITE, 0, BYTES), /* isCreator= */ true);
        } catch (IOException e) {
            LOG.debug("there is no memory to share", e);
            delete(file);
            return null;
        }
    }

    Share share() {
        return new Share(file.getFileName().toString(), token);
    }

    /** Opens what the other process has created. Null if it cannot be found here: processes of one address may have files of their own. */
    static @Nullable SharedMemory open(Share share) {
        if (!NAME.matcher(share.name()).matches()) {
            return null;
        }
        Path file = FOLDER.resolve(share.name());
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return null;
        }
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            if (channel.size() != BYTES) {
                return null;
            }
            ByteBuffer memory = channel.map(MapMode.READ_WRITE, 0, BYTES);
            if (memory.getLong(0) != share.token()) {
                return null;
            }
            delete(file);
            return new SharedMemory(file, memory, /* isCreator= */ false);
        } catch (IOException e) {
            LOG.debug("{} cannot be opened", file, e);
            return null;
        }
    }

    SharedRing out() {
        return out;
    }

    SharedRing in() {
        return in;
    }

    /** Deletes the file, if the other has not. The memory stays for those who have it. */
    void delete() {
        delete(file);
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.debug("{} is left", file, e);
        }
    }
}
