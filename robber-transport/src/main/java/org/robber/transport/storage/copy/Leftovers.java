package org.robber.transport.storage.copy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import org.robber.RobberException;
import org.robber.transport.manifest.EntryKind;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.storage.copy.FileStates.State;
import org.robber.transport.storage.file.AttributeWriter;
import org.robber.transport.storage.file.Destination;
import org.robber.transport.storage.file.FileFailures;
import org.robber.transport.storage.file.FileStat;
import org.robber.transport.storage.file.RawPaths;
import org.robber.transport.storage.file.Staging;
import org.robber.transport.storage.record.VerifiedPieces;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes over what an earlier run has left: half-written files in the staging directory, and files that are in their final place already.
 */
final class Leftovers {
    private static final Logger LOG = LoggerFactory.getLogger(Leftovers.class);

    private final StagedTree tree;
    private final Manifest manifest;
    private final AttributeWriter attributes;
    private final FileStates states;
    private long bytes;

    Leftovers(StagedTree tree, Manifest manifest, AttributeWriter attributes) {
        this.tree = tree;
        this.manifest = manifest;
        this.attributes = attributes;
        this.states = tree.states();
    }

    /** Goes on with what is there, in whatever state. Until {@link #settle}, nothing may be written to the tree. */
    void takeOver(Destination shown) throws IOException {
        for (int i = manifest.isRooted() ? 1 : 0; i < manifest.entryCount(); i++) {
            if (!takeOver(i, tree.path(i))) {
                takeOverShown(i, tree.path(i), shown.path(manifest, i));
            }
        }
    }

    /** The same for what a run of another manifest has left: entries that this one does not have are removed. */
    void takeOverOfOthers() throws IOException {
        try {
            long unused = ExtraEntries.ofStaged(tree, manifest).remove();
        } catch (RobberException e) {
            throw FileFailures.destination(
                    "prepare",
                    "cannot go on with what an earlier run has left in " + RawPaths.text(tree.directory())
                            + "; remove it, or add --restart: " + e.getMessage(),
                    null);
        }
        for (int i = manifest.isRooted() ? 1 : 0; i < manifest.entryCount(); i++) {
            boolean unusedToo = takeOver(i, tree.path(i));
        }
    }

    /** How many bytes files in the staging directory have. */
    long bytes() {
        return bytes;
    }

    /**
     * Keeps files in their final place that are right as a whole. Copies those that are right in part, or are longer than they have to be,
     * to complete the copy.
     *
     * @param moved files that are in another place: each becomes a file of its own
     */
    void settle(VerifiedPieces verified, BitSet moved) throws IOException {
        for (int i = 0; i < manifest.entryCount(); i++) {
            if (states.of(i) == State.SHOWN) {
                Path path = tree.path(i);
                switch (verified.shareOf(manifest.offsetBytes(i), manifest.sizeBytes(i))) {
                    case NONE -> {
                        Files.delete(path);
                        states.set(i, State.ABSENT);
                    }
                    case SOME -> copy(i, path);
                    case ALL -> {
                        if (moved.get(i) || FileStat.of(path).sizeBytes() != manifest.sizeBytes(i)) {
                            copy(i, path);
                        }
                    }
                }
            }
        }
    }

    /** Replaces a second name of a file by a file of our own. */
    private void copy(int entry, Path path) throws IOException {
        Path copy = tree.directory().resolveSibling("copy");
        Files.deleteIfExists(copy);
        Files.copy(path, copy, LinkOption.NOFOLLOW_LINKS);
        tree.checkShown(entry, "prepare");
        AttributeWriter.setMode(copy, AttributeWriter.ofFile(manifest.mode(entry)) | AttributeWriter.OWNER_FILE_BITS);
        try (FileChannel channel = FileChannel.open(copy, StandardOpenOption.WRITE)) {
            channel.truncate(manifest.sizeBytes(entry));
        }
        Files.move(copy, path, StandardCopyOption.ATOMIC_MOVE);
        states.set(entry, State.WRITTEN);
    }

    /** Whether there is an entry to go on with; else only a missing directory is made. */
    private boolean takeOver(int entry, Path path) throws IOException {
        FileStat stat = FileStat.ofAny(path);
        boolean isDirectory = manifest.kind(entry) == EntryKind.DIRECTORY;
        if (stat != null && isUsable(entry, stat)) {
            if (!isDirectory) {
                states.set(entry, State.WRITTEN);
                bytes += stat.sizeBytes();
            }
            // as if it had been created for this
            int mode = isDirectory
                    ? stat.mode() | Installation.OWNER_DIRECTORY_BITS
                    : AttributeWriter.ofFile(manifest.mode(entry)) | AttributeWriter.OWNER_FILE_BITS;
            if (mode != stat.mode()) {
                AttributeWriter.setMode(path, mode);
            }
            return true;
        }
        if (stat != null) {
            Staging.delete(path);
        }
        if (isDirectory) {
            Files.createDirectory(path, attributes.forDirectoryCreation(manifest.mode(entry)));
        }
        return isDirectory;
    }

    private void takeOverShown(int entry, Path path, Path shown) {
        try {
            FileStat stat = manifest.sizeBytes(entry) > 0 ? FileStat.ofAny(shown) : null;
            if (stat != null && stat.isFile() && stat.sizeBytes() == manifest.sizeBytes(entry)) {
                Files.createLink(path, shown);
                states.setShown(entry, stat);
            }
        } catch (IOException | UnsupportedOperationException e) {
            LOG.debug("{} is not looked at", shown, e);
        }
    }

    private boolean isUsable(int entry, FileStat stat) {
        return switch (manifest.kind(entry)) {
            case DIRECTORY -> stat.isDirectory();
            // A file with a second name is in its final place, too, and must not be written to.
            case FILE -> stat.isFile() && stat.links() == 1 && stat.sizeBytes() <= manifest.sizeBytes(entry);
            // TreeCompletion makes links.
            case SYMLINK -> false;
        };
    }
}
