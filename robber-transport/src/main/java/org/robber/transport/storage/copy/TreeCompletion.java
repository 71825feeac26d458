package org.robber.transport.storage.copy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.transport.manifest.EntryAttributes;
import org.robber.transport.manifest.EntryKind;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.storage.copy.FileStates.State;
import org.robber.transport.storage.file.AttributeWriter;
import org.robber.transport.storage.file.FileFailures;
import org.robber.transport.storage.file.FileStat;
import org.robber.transport.storage.file.RawPaths;

/**
 * Completes a staged tree when all bytes are written: makes empty files and links, sets modes and times, and checks that
 * every file exists with its size.
 */
final class TreeCompletion {
    private final Manifest manifest;
    private final StagedTree tree;
    private final AttributeWriter attributes;
    private final FileStates states;

    TreeCompletion(Manifest manifest, StagedTree tree, AttributeWriter attributes) {
        this.manifest = manifest;
        this.tree = tree;
        this.attributes = attributes;
        this.states = tree.states();
    }

    /** Completes the tree. Afterwards nothing can be written to it. */
    void run() {
        Path path = tree.directory();
        try {
            tree.close();
            // All are checked before the first time is set, since two may be names of one file.
            for (int i = 0; i < manifest.entryCount(); i++) {
                if (states.of(i) == State.SHOWN) {
                    path = tree.path(i);
                    tree.checkShown(i, "commit");
                }
            }
            for (int i = 0; i < manifest.entryCount(); i++) {
                if (manifest.kind(i) == EntryKind.FILE) {
                    path = tree.path(i);
                    finishFile(i, path);
                }
            }
            // Links follow when all files are written; directories last, because adding entries changes their time.
            for (int i = 0; i < manifest.entryCount(); i++) {
                if (manifest.kind(i) == EntryKind.SYMLINK) {
                    path = tree.path(i);
                    Files.createSymbolicLink(path, RawPaths.linkTarget(manifest.linkTarget(i)));
                    attributes.setTimes(path, manifest.attributes(i), LinkOption.NOFOLLOW_LINKS);
                }
            }
            for (int i = manifest.entryCount() - 1; i >= 0; i--) {
                if (manifest.kind(i) == EntryKind.DIRECTORY && !(i == 0 && manifest.isRooted())) {
                    path = tree.path(i);
                    // What the owner may not write to can't be moved either: see Installation.
                    AttributeWriter.setMode(path, manifest.mode(i) | Installation.OWNER_DIRECTORY_BITS);
                    attributes.setTimes(path, manifest.attributes(i));
                }
            }
        } catch (IOException e) {
            throw FileFailures.destination("commit", path, e);
        }
    }

    private void finishFile(int entry, Path path) throws IOException {
        EntryAttributes wanted = manifest.attributes(entry);
        State state = states.of(entry);
        if (state == State.SHOWN) {
            finishShown(entry, path, wanted);
            return;
        }
        if (state == State.ABSENT) {
            if (manifest.sizeBytes(entry) > 0) {
                throw incomplete(entry);
            }
            FileChannel.open(path, StagedTree.CREATE, attributes.forCreation(wanted.mode()))
                    .close();
        } else {
            // Also of what was written as a whole: another program may have removed or shortened it since.
            long sizeBytes = Files.size(path);
            if (sizeBytes != manifest.sizeBytes(entry)) {
                throw FileFailures.destination(
                        "commit",
                        RawPaths.text(path) + " has " + sizeBytes + " bytes instead of " + manifest.sizeBytes(entry)
                                + ", since another program has changed it; run the same command again",
                        null);
            }
        }
        if (state != State.TIMED) {
            attributes.setTimes(path, wanted);
        }
        attributes.finishMode(path, wanted.mode());
    }

    /** The file is in its final place, too, and may be one whose time or mode has changed since. */
    private void finishShown(int entry, Path path, EntryAttributes wanted) throws IOException {
        FileStat stat = FileStat.of(path);
        int mode = AttributeWriter.ofFile(wanted.mode());
        EntryAttributes found = stat.attributes();
        if (found.isSameTime(wanted) && stat.mode() == mode) {
            return;
        }
        try {
            change(path, wanted, mode);
        } catch (IOException e) {
            if (!FileFailures.isRefusal(e)) {
                throw e;
            }
            // It belongs to another user: a file of our own takes its place.
            Path copy = tree.directory().resolveSibling("copy");
            Files.deleteIfExists(copy);
            Files.copy(path, copy, LinkOption.NOFOLLOW_LINKS);
            tree.checkShown(entry, "commit");
            change(copy, wanted, mode);
            Files.move(copy, path, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private void change(Path path, EntryAttributes wanted, int mode) throws IOException {
        attributes.setTimes(path, wanted);
        AttributeWriter.setMode(path, mode);
    }

    private RobberException incomplete(int entry) {
        return new RobberException(
                Reason.INTERNAL,
                List.of(),
                "commit",
                manifest.pathText(entry) + " should have " + manifest.sizeBytes(entry)
                        + " bytes, but nothing was written");
    }
}
