package org.robber.transport.storage.copy;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.Storage;
import org.robber.transport.digest.PieceHashers;
import org.robber.transport.manifest.DigestTable;
import org.robber.transport.manifest.EntryKind;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.storage.file.AttributeWriter;
import org.robber.transport.storage.file.Destination;
import org.robber.transport.storage.file.EntryFilter;
import org.robber.transport.storage.file.FileFailures;
import org.robber.transport.storage.file.Ranges;
import org.robber.transport.storage.file.RawPaths;
import org.robber.transport.storage.file.Staging;
import org.robber.transport.storage.record.CopyAudit;
import org.robber.transport.storage.record.CopyRecords;
import org.robber.transport.storage.record.PartDigests;
import org.robber.transport.storage.record.VerifiedPieces;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a tree, or a file, by position. Nothing of it has its final name before {@link #commit}.
 *
 * <p>Until then everything is in a directory {@code .robber-KEY.partial} in the destination, or beside a single file. Only
 * its owner may enter it. A journal in it names the pieces that were {@link #verified}. If there are any, {@link #close}
 * without a commit leaves the directory, as a killed process does. The next target of the same terms continues it: it reads
 * back and hashes the pieces that the journal names, and {@link #verifiedDigest} tells which were right. What a run has left of another
 * version of the source is compared by {@link #adopt}. Otherwise, and after {@link #discard}, the destination is as it was before.
 *
 * <p>The destination is understood as {@code rsync -a} without {@code --delete} does: see {@link Destination} and {@link
 * Installation}. No path leads out of the destination: manifests cannot name such a path, and links inside the destination
 * are replaced, never followed. Owners, set-user-ID and set-group-ID bits of files, hard links, holes, ACLs and extended
 * attributes are not kept. Times from 1970 to 2262 are kept to the nanosecond, those of links to the microsecond on JDK 17.
 * Unless a commit asks for it, nothing is forced to the disk: a crash of the machine soon after the commit may lose data.
 *
 * <p>Every failure is a {@link RobberException} with {@code DESTINATION}, which says what to do. Any number of threads may
 * write different ranges, in any order and repeatedly.
 */
public final class TreeTarget implements Storage {
    private static final Logger LOG = LoggerFactory.getLogger(TreeTarget.class);

    private final Manifest manifest;
    private final Destination destination;
    private final Staging staging;
    private final StagedTree staged;
    private final AttributeWriter attributes;
    private final VerifiedPieces verified;
    private final PartDigests parts;
    private final FormerCopy former;
    /** In the half-written copy, of another version of the source. */
    private final long unknownBytes;

    private final @Nullable LeftOut leftOut;
    /** Readers use the staged tree, the writer ends it. */
    private final ReadWriteLock use = new ReentrantReadWriteLock();

    private boolean ended;

    TreeTarget(
            Manifest manifest,
            Destination destination,
            Staging staging,
            StagedTree staged,
            AttributeWriter attributes,
            VerifiedPieces verified,
            PartDigests parts,
            FormerCopy former,
            long unknownBytes,
            @Nullable LeftOut leftOut) {
        this.manifest = manifest;
        this.destination = destination;
        this.staging = staging;
        this.staged = staged;
        this.attributes = attributes;
        this.verified = verified;
        this.parts = parts;
        this.former = former;
        this.unknownBytes = unknownBytes;
        this.leftOut = leftOut;
    }

    /**
     * Checks before the first byte what can fail: the destination, conflicts there, the right to write, leftovers of an
     * earlier run, space.
     *
     * @param destination a path as the user gave it; a slash at its end counts
     * @throws RobberException {@code DESTINATION}; nothing has changed then
     */
    public static TreeTarget open(String destination, Manifest manifest, CopyTerms terms) {
        return TargetPreparation.prepare(destination, manifest, terms);
    }

    /**
     * Looks for what {@link #open} refuses in a destination: something else than a directory in its place, and directories in the way of
     * files. Changes nothing. A missing folder, and one that cannot be written to, are not looked for.
     *
     * @throws RobberException {@code DESTINATION}, naming it
     */
    public static void check(String destination, Manifest manifest) {
        Installation.check(manifest, Destination.find(destination, manifest));
    }

    /**
     * Removes what a killed run has left beside a copy that is in its place. Such a copy needs no target. A failure is only logged.
     *
     * @param key of that run
     */
    public static void removeLeftovers(String destination, Manifest manifest, String key) {
        try {
            Destination found = Destination.find(destination, manifest);
            if (Staging.isThere(found, manifest, key)) {
                Staging.end(Staging.enter(found, manifest, key), null, false);
            }
        } catch (RobberException e) {
            LOG.warn("Cannot remove what an earlier run has left: {}", e.getMessage());
        }
    }

    /**
     * How many bytes of a copy may be in a destination already, in files of the same paths. Contents are not compared. Changes nothing.
     *
     * @throws RobberException as {@link #check}
     */
    public static long bytesInPlace(String destination, Manifest manifest) {
        return FormerCopy.of(manifest, Destination.find(destination, manifest), null)
                .bytes();
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
                parts.learn(entry, positionBytes, part);
                try {
                    staged.write(entry, positionBytes, part);
                } catch (IOException e) {
                    throw FileFailures.destination("write", destination.path(manifest, entry), e);
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
                    throw FileFailures.named(staged.path(entry), e);
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

    /** The directory that takes the top entries. */
    public Path directory() {
        return destination.directory();
    }

    /** The name of this copy among those in its {@link #directory}. */
    public String name() {
        return staging.name();
    }

    /** How much of the data is known to be right. */
    public long verifiedBytes() {
        return verified.totalBytes();
    }

    /** How many bytes of the data may be there already: in files of an earlier copy, or in what a run has left of another version. */
    public long formerBytes() {
        return former.bytes() + unknownBytes;
    }

    /**
     * Takes over what is right of that. To be called before anything is written.
     *
     * @param right the digests of all pieces of the data
     * @throws RobberException {@code DESTINATION} if the half-written copy can't be written to
     */
    public void adopt(DigestTable right, String digest) {
        use.writeLock().lock();
        try {
            checkOpen();
            BitSet moved = former.adopt(staged, verified, right, PieceHashers.named(digest));
            new Leftovers(staged, manifest, attributes).settle(verified, moved);
        } catch (IOException e) {
            throw FileFailures.destination("prepare", staging.directory(), e);
        } finally {
            use.writeLock().unlock();
        }
    }

    /**
     * Takes over all files in their final places as they are, to be sent to others. They were compared with their record before.
     *
     * @return the digests of all pieces
     * @throws RobberException {@code DESTINATION} if some are missing
     */
    public DigestTable adoptAll(String digest) {
        use.writeLock().lock();
        try {
            checkOpen();
            return former.adoptAll(staged, verified, PieceHashers.named(digest));
        } catch (IOException e) {
            throw FileFailures.destination("prepare", destination.directory(), e);
        } finally {
            use.writeLock().unlock();
        }
    }

    @Override
    public byte @Nullable [] verifiedDigest(long offsetBytes, int lengthBytes) {
        return verified.digest(offsetBytes, lengthBytes);
    }

    @Override
    public void verified(long offsetBytes, int lengthBytes, byte[] digest) throws IOException {
        use.readLock().lock();
        try {
            checkOpen();
            verified.add(offsetBytes, lengthBytes, digest);
        } catch (IOException e) {
            throw FileFailures.destination("write", staging.journal(), e);
        } finally {
            use.readLock().unlock();
        }
    }

    /**
     * Gives the tree its final name. Call it once, when everything is written and verified; afterwards nothing can be read
     * or written.
     *
     * @param record where to keep the manifest and the digests for {@link CopyAudit}, if that is possible; or null
     * @throws RobberException {@code DESTINATION} if something can't be moved to its place; what was moved before stays there
     */
    public void commit(@Nullable Path record) {
        commit(record, null, false);
    }

    /**
     * The same; then removes what the destination holds besides the copy.
     *
     * @param chosen takes what may be removed; null if nothing may
     * @param toDisk whether what was written is forced to the disk before it gets its final name, and that name before this returns
     * @return how many entries were removed
     * @throws RobberException also if something cannot be removed: then the copy is in its place nevertheless
     */
    public long commit(@Nullable Path record, @Nullable EntryFilter chosen, boolean toDisk) {
        use.writeLock().lock();
        try {
            if (ended) {
                throw new IllegalStateException("the target is closed");
            }
            ended = true;
            boolean complete = false;
            try {
                flushJournal();
                if (leftOut != null) {
                    leftOut.check(destination);
                }
                new TreeCompletion(manifest, staged, attributes).run();
                DiskSync sync = new DiskSync(manifest);
                if (toDisk) {
                    sync.files(staged::path);
                }
                Installation installation = new Installation(manifest, destination, staged, attributes);
                installation.run();
                if (toDisk) {
                    sync.directories(destination);
                }
                complete = true;
                CopyRecords.keep(verified, staging.journal(), record, leftOut == null ? null : leftOut.whole());
                Staging.end(staging, null, false);
                // Removing changes the times of directories, and needs the right to write to them.
                try {
                    return chosen == null ? 0 : new ExtraEntries(destination.directory(), whole(), chosen).remove();
                } finally {
                    installation.finish();
                }
            } finally {
                closeAnyway(verified, "journal");
                if (!complete) {
                    closeAnyway(staged::close, "files");
                    Staging.end(staging, destination, keeps());
                }
            }
        } finally {
            use.writeLock().unlock();
        }
    }

    private Manifest whole() {
        return leftOut == null ? manifest : leftOut.whole();
    }

    private void flushJournal() {
        try {
            verified.flush();
        } catch (IOException e) {
            throw FileFailures.destination("write", staging.journal(), e);
        }
    }

    private void closeAnyway(Closeable part, String what) {
        try {
            part.close();
        } catch (IOException e) {
            LOG.debug("The {} of {} did not close", what, destination.directory(), e);
        }
    }

    @Override
    public void close() throws IOException {
        close(keeps());
    }

    /** Removes what was written, since it can't be trusted. After a commit: nothing happens. */
    public void discard() throws IOException {
        close(false);
    }

    private boolean keeps() {
        return verified.totalBytes() > 0 || unknownBytes > 0;
    }

    private void close(boolean keep) throws IOException {
        use.writeLock().lock();
        try {
            if (ended) {
                return;
            }
            ended = true;
            try {
                staged.close();
                verified.close();
            } finally {
                Staging.end(staging, destination, keep);
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

    @Override
    public String toString() {
        long files = IntStream.range(0, manifest.entryCount())
                .filter(i -> manifest.kind(i) == EntryKind.FILE)
                .count();
        return files + " files to " + RawPaths.text(place());
    }
}
