package org.robber.transport.storage.copy;

import com.google.common.base.Suppliers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.robber.transport.digest.PieceHasher;
import org.robber.transport.manifest.DigestTable;
import org.robber.transport.manifest.EntryKind;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.storage.copy.FileStates.State;
import org.robber.transport.storage.file.AttributeWriter;
import org.robber.transport.storage.file.Destination;
import org.robber.transport.storage.file.FileStat;
import org.robber.transport.storage.file.Ranges;
import org.robber.transport.storage.record.VerifiedPieces;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files that are in the final places of a copy before it comes: mostly those of an earlier copy of the same source. Whatever is in them may be
 * right or not. For a file that is not in its place, a file of the earlier copy that may have had another name is taken. Links
 * are not followed, also not in place of directories.
 */
final class FormerCopy {
    private static final Logger LOG = LoggerFactory.getLogger(FormerCopy.class);

    private final Manifest manifest;
    private final Destination destination;
    /** Its index takes memory, so it is made when the first file is not in its place. */
    private final @Nullable Supplier<MovedFiles> moved;

    /** @param moved where files may be that are not in their places; null if nothing is known of them */
    FormerCopy(Manifest manifest, Destination destination, @Nullable Supplier<MovedFiles> moved) {
        this.manifest = manifest;
        this.destination = destination;
        this.moved = moved == null ? null : Suppliers.memoize(moved::get);
    }

    /** @param earlier what the earlier copy consisted of; null if nothing is known of it */
    static FormerCopy of(Manifest manifest, Destination destination, @Nullable Manifest earlier) {
        return new FormerCopy(
                manifest, destination, earlier == null ? null : () -> new MovedFiles(earlier, destination));
    }

    /** What to do with a file. */
    @FunctionalInterface
    private interface Action {
        void accept(int entry, Path path, FileStat stat);
    }

    /** Visits the files that are in their places, empty ones also. */
    private void forEachInPlace(Action action) {
        int entry = manifest.isRooted() ? 1 : 0;
        while (entry < manifest.entryCount()) {
            boolean isDirectory = manifest.kind(entry) == EntryKind.DIRECTORY;
            Path path = destination.path(manifest, entry);
            FileStat stat = null;
            try {
                stat = manifest.kind(entry) == EntryKind.SYMLINK ? null : FileStat.ofAny(path);
            } catch (IOException e) {
                LOG.debug("{} is not looked at", path, e);
            }
            if (isDirectory) {
                entry = stat != null && stat.isDirectory() ? entry + 1 : manifest.subtreeEnd(entry);
            } else {
                if (stat != null && stat.isFile()) {
                    action.accept(entry, path, stat);
                }
                entry++;
            }
        }
    }

    /** Visits the files of which something may be there; returns those of them that are in another place. */
    private BitSet forEach(Action action) {
        BitSet inPlace = new BitSet();
        forEachInPlace((entry, path, stat) -> {
            if (stat.sizeBytes() > 0 && manifest.sizeBytes(entry) > 0) {
                inPlace.set(entry);
                action.accept(entry, path, stat);
            }
        });
        BitSet elsewhere = new BitSet();
        for (int entry = 0; moved != null && entry < manifest.entryCount(); entry++) {
            if (manifest.kind(entry) == EntryKind.FILE && manifest.sizeBytes(entry) > 0 && !inPlace.get(entry)) {
                MovedFiles.Found found = moved.get().find(manifest, entry);
                if (found != null) {
                    elsewhere.set(entry);
                    action.accept(entry, found.path(), found.stat());
                }
            }
        }
        return elsewhere;
    }

    /** The files that have the size, the time and the mode that they are to have. */
    BitSet unchanged() {
        BitSet unchanged = new BitSet();
        forEachInPlace((entry, path, stat) -> {
            if (stat.sizeBytes() == manifest.sizeBytes(entry)
                    && stat.attributes().isSameTime(manifest.attributes(entry))
                    && stat.mode() == AttributeWriter.ofFile(manifest.mode(entry))) {
                unchanged.set(entry);
            }
        });
        return unchanged;
    }

    /** How many bytes of the data may be there: those of files that have as many bytes. */
    long bytes() {
        long[] bytes = new long[1];
        BitSet unused =
                forEach((entry, path, stat) -> bytes[0] += Math.min(stat.sizeBytes(), manifest.sizeBytes(entry)));
        return bytes[0];
    }

    /**
     * Gives each of these files a second name in the half-written copy, and compares the pieces of which all bytes are there with what they
     * have to be.
     *
     * @param right the digests of all pieces
     * @return the files that are in another place now
     */
    BitSet adopt(StagedTree tree, VerifiedPieces verified, DigestTable right, PieceHasher hasher) throws IOException {
        long[] sizes = new long[manifest.entryCount()];
        BitSet elsewhere = link(tree, sizes);
        verified.compare(
                right,
                (offsetBytes, bytes) -> Ranges.forEachFile(manifest, offsetBytes, bytes, tree::read),
                hasher,
                (offsetBytes, lengthBytes) -> isThere(offsetBytes, lengthBytes, sizes));
        return elsewhere;
    }

    /**
     * Takes over all of it, which was compared with its record.
     *
     * @return the digests of the pieces
     * @throws IOException if some of it is missing
     */
    DigestTable adoptAll(StagedTree tree, VerifiedPieces verified, PieceHasher hasher) throws IOException {
        BitSet unused = link(tree, new long[manifest.entryCount()]);
        return verified.addAll(
                (offsetBytes, bytes) -> Ranges.forEachFile(manifest, offsetBytes, bytes, tree::read), hasher);
    }

    /** @param sizes gets how many bytes each entry has in the half-written copy; 0 for those that are not there */
    private BitSet link(StagedTree tree, long[] sizes) throws IOException {
        for (int entry = 0; entry < sizes.length; entry++) {
            if (tree.states().of(entry) == State.WRITTEN) {
                sizes[entry] = FileStat.of(tree.path(entry)).sizeBytes();
            }
        }
        return forEach((entry, path, stat) -> {
            if (tree.states().of(entry) != State.ABSENT) {
                return;
            }
            try {
                Files.createLink(tree.path(entry), path);
                tree.states().setShown(entry, stat);
                sizes[entry] = stat.sizeBytes();
            } catch (IOException | UnsupportedOperationException e) {
                LOG.debug("{} cannot be linked", path, e);
            }
        });
    }

    private boolean isThere(long offsetBytes, int lengthBytes, long[] sizes) {
        long end = offsetBytes + lengthBytes;
        int entry = manifest.fileAt(offsetBytes);
        for (long start = offsetBytes; start < end; entry++) {
            long fileEnd = manifest.offsetBytes(entry) + manifest.sizeBytes(entry);
            // directories, links and empty files have no bytes
            if (fileEnd > start) {
                long neededBytes = Math.min(end, fileEnd) - manifest.offsetBytes(entry);
                if (sizes[entry] < neededBytes) {
                    return false;
                }
                start = fileEnd;
            }
        }
        return true;
    }
}
