package org.robber.transport.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.robber.transport.digest.PieceHasher;
import org.robber.transport.manifest.DigestTable;
import org.robber.transport.manifest.EntryKind;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.storage.FileStates.State;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files that are in the final places of a copy before it comes: mostly those of an earlier copy of the same source. Whatever is in them may be
 * right or not. Links are not followed, also not in place of directories.
 */
final class FormerCopy {
    private static final Logger LOG = LoggerFactory.getLogger(FormerCopy.class);

    private final Manifest manifest;
    private final Destination destination;

    FormerCopy(Manifest manifest, Destination destination) {
        this.manifest = manifest;
        this.destination = destination;
    }

    /** What to do with a file. */
    @FunctionalInterface
    private interface Action {
        void accept(int entry, Path path, FileStat stat);
    }

    private void forEach(Action action) {
        int entry = manifest.isRooted() ? 1 : 0;
        while (entry < manifest.entryCount()) {
            boolean isDirectory = manifest.kind(entry) == EntryKind.DIRECTORY;
            Path path = destination.path(manifest, entry);
            FileStat stat = null;
            try {
                stat = isDirectory || manifest.sizeBytes(entry) > 0 ? FileStat.ofAny(path) : null;
            } catch (IOException e) {
                LOG.debug("{} is not looked at", path, e);
            }
            if (isDirectory) {
                entry = stat != null && stat.isDirectory() ? entry + 1 : manifest.subtreeEnd(entry);
            } else {
                if (stat != null && stat.isFile() && stat.sizeBytes() > 0) {
                    action.accept(entry, path, stat);
                }
                entry++;
            }
        }
    }

    /** How many bytes of the data may be there: those of files that have as many bytes. */
    long bytes() {
        long[] bytes = new long[1];
        forEach((entry, path, stat) -> bytes[0] += Math.min(stat.sizeBytes(), manifest.sizeBytes(entry)));
        return bytes[0];
    }

    /**
     * Gives each of these files a second name in the half-written copy, and compares the pieces of which all bytes are there with what they
     * have to be.
     *
     * @param right the digests of all pieces
     */
    void adopt(StagedTree tree, VerifiedPieces verified, DigestTable right, PieceHasher hasher) throws IOException {
        long[] sizes = link(tree);
        verified.compare(
                right,
                (offsetBytes, bytes) -> Ranges.forEachFile(manifest, offsetBytes, bytes, tree::read),
                hasher,
                (offsetBytes, lengthBytes) -> isThere(offsetBytes, lengthBytes, sizes));
    }

    /** Returns how many bytes each entry has; 0 for those that are not there, or of which the half-written copy has a part. */
    private long[] link(StagedTree tree) {
        long[] sizes = new long[manifest.entryCount()];
        forEach((entry, path, stat) -> {
            if (tree.states().of(entry) != State.ABSENT) {
                return;
            }
            try {
                Files.createLink(tree.path(entry), path);
                tree.states().set(entry, State.SHOWN);
                sizes[entry] = stat.sizeBytes();
            } catch (IOException | UnsupportedOperationException e) {
                LOG.debug("{} cannot be linked", path, e);
            }
        });
        return sizes;
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
