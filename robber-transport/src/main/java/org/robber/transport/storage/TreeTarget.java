package org.robber.transport.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.Storage;
import org.robber.core.manifest.EntryKind;
import org.robber.core.manifest.Manifest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A destination that a tree, or a file, is written to by position, and that shows nothing of it under its final name before
 * {@link #commit}. Until then everything is in a directory {@code .robber-JOBID.partial}, which only its owner may enter,
 * inside the destination (for a single file: beside it). {@link #close} without a commit removes that, and leaves the
 * destination as it was. A killed process leaves the directory behind; later jobs leave it alone, and whoever removes it
 * loses nothing.
 *
 * <p>What the destination means, and what becomes of things that are already there, is as with {@code rsync -a} without
 * {@code --delete}: see {@link Destination} and {@link Installation}. No path leads out of the destination: manifests cannot
 * name such a path, and links inside the destination are replaced, never followed. Owners, hard links, holes, ACLs and
 * extended attributes are not kept. Times are kept to the nanosecond, those of links to the microsecond on JDK 17. Nothing is
 * forced to the disk: a crash of the machine soon after the commit may lose data.
 *
 * <p>All that fails is a {@link RobberException} with {@code DESTINATION}, saying what to do. Any number of threads may
 * write different ranges, in any order, also more than once.
 */
public final class TreeTarget implements Storage {
    private static final Logger LOG = LoggerFactory.getLogger(TreeTarget.class);

    private final Manifest manifest;
    private final Destination destination;
    private final Path staging;
    private final StagedTree staged;
    private final AttributeWriter attributes;
    /** Readers use the staged tree, the writer ends it. */
    private final ReadWriteLock use = new ReentrantReadWriteLock();

    private boolean ended;

    private TreeTarget(
            Manifest manifest, Destination destination, Path staging, StagedTree staged, AttributeWriter attributes) {
        this.manifest = manifest;
        this.destination = destination;
        this.staging = staging;
        this.staged = staged;
        this.attributes = attributes;
    }

    /**
     * Prepares everything that can fail before the first byte: the destination, conflicts there, the right to write, space.
     *
     * @param destination a path as the user gave it; a slash at its end counts
     * @param jobId names the staging directory: 1..100 letters, digits and {@code ._-}; another one for each job
     * @throws RobberException {@code DESTINATION}; nothing has changed then
     */
    public static TreeTarget create(String destination, Manifest manifest, String jobId) {
        Destination prepared = Destination.prepare(destination, manifest);
        Path staging = null;
        boolean complete = false;
        try {
            Installation.check(manifest, prepared);
            staging = Staging.create(prepared, manifest, jobId);
            checkSpace(staging, manifest.totalBytes());
            AttributeWriter attributes = AttributeWriter.probing(staging);
            StagedTree staged = StagedTree.create(staging, manifest, attributes);
            complete = true;
            return new TreeTarget(manifest, prepared, staging, staged, attributes);
        } catch (IOException e) {
            throw Failures.destination("prepare", prepared.directory(), e);
        } finally {
            if (!complete) {
                remove(staging, prepared);
            }
        }
    }

    private static void checkSpace(Path directory, long neededBytes) {
        long freeBytes;
        try {
            FileStore store = Files.getFileStore(directory);
            if (store.getTotalSpace() == 0) {
                return;
            }
            freeBytes = store.getUsableSpace();
        } catch (IOException e) {
            LOG.debug("The free space of {} cannot be found out", directory, e);
            return;
        }
        if (freeBytes < neededBytes) {
            throw Failures.destination(
                    "prepare",
                    "not enough space for " + RawPaths.text(directory) + ": " + neededBytes + " bytes are needed, "
                            + freeBytes + " are free; free some, or choose another destination",
                    null);
        }
    }

    /** What is written. */
    public Manifest manifest() {
        return manifest;
    }

    /** Where the tree will be: the directory that takes it, or for a single file that file. */
    public Path place() {
        return manifest.isSingle() ? destination.path(manifest, 0) : destination.directory();
    }

    @Override
    public long sizeBytes() {
        return manifest.totalBytes();
    }

    @Override
    public void write(long offsetBytes, ByteBuffer source) throws IOException {
        use.readLock().lock();
        try {
            checkOpen();
            Ranges.forEachFile(manifest, offsetBytes, source, (entry, positionBytes, part) -> {
                try {
                    staged.write(entry, positionBytes, part);
                } catch (IOException e) {
                    throw Failures.destination("write", destination.path(manifest, entry), e);
                }
            });
        } finally {
            use.readLock().unlock();
        }
    }

    @Override
    public void read(long offsetBytes, ByteBuffer target) throws IOException {
        use.readLock().lock();
        try {
            checkOpen();
            Ranges.forEachFile(manifest, offsetBytes, target, (entry, positionBytes, part) -> {
                try {
                    staged.read(entry, positionBytes, part);
                } catch (IOException e) {
                    throw Failures.named(staged.path(entry), e);
                }
            });
        } finally {
            use.readLock().unlock();
        }
    }

    @Override
    public @Nullable FileRange fileRange(long offsetBytes, int lengthBytes) throws IOException {
        use.readLock().lock();
        try {
            checkOpen();
            int entry = Ranges.onlyFile(manifest, offsetBytes, lengthBytes);
            return entry < 0 ? null : staged.range(entry, offsetBytes - manifest.offsetBytes(entry));
        } finally {
            use.readLock().unlock();
        }
    }

    /**
     * Shows the tree under its final name. To be called once, when everything is written and verified; nothing can be read
     * or written any more.
     *
     * @throws RobberException {@code DESTINATION} if something can't be moved to its place; what was moved before stays there
     */
    public void commit() {
        use.writeLock().lock();
        try {
            if (ended) {
                throw new IllegalStateException("the target is closed");
            }
            ended = true;
            staged.finish();
            Installation installation = new Installation(manifest, destination, staged, attributes);
            installation.run();
            remove(staging, null);
            installation.finish();
        } catch (RuntimeException e) {
            remove(staging, destination);
            throw e;
        } finally {
            use.writeLock().unlock();
        }
    }

    /** Without a commit: removes what was written. Afterwards, nothing. */
    @Override
    public void close() throws IOException {
        use.writeLock().lock();
        try {
            if (ended) {
                return;
            }
            ended = true;
            try {
                staged.close();
            } finally {
                remove(staging, destination);
            }
        } finally {
            use.writeLock().unlock();
        }
    }

    private void checkOpen() throws IOException {
        if (ended) {
            throw new IOException("the target " + RawPaths.text(destination.directory()) + " is closed");
        }
    }

    /** Best effort: the reason to remove it is more important than this. */
    private static void remove(@Nullable Path staging, @Nullable Destination made) {
        try {
            if (staging != null) {
                Staging.delete(staging);
            }
            if (made != null) {
                made.undo();
            }
        } catch (IOException e) {
            LOG.warn("Cannot remove {}: {}", staging, Failures.reason(e));
        }
    }

    /** How many files there are, for people. */
    @Override
    public String toString() {
        int files = 0;
        for (int i = 0; i < manifest.entryCount(); i++) {
            files += manifest.kind(i) == EntryKind.FILE ? 1 : 0;
        }
        return files + " files to " + RawPaths.text(place());
    }
}
