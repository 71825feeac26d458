package org.robber.transport.storage.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.Storage;
import org.robber.transport.manifest.EntryKind;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.storage.file.ChannelCache;
import org.robber.transport.storage.file.FileFailures;
import org.robber.transport.storage.file.FileStat;
import org.robber.transport.storage.file.Ranges;
import org.robber.transport.storage.file.RawPaths;

/**
 * The data of a scanned tree: the bytes of its files, one after the other. For reading only. Links are never followed, also
 * if a directory of the tree is swapped for one while the tree is read.
 *
 * <p>A file whose size, time of change or inode differs from the scan ends the job: {@link RobberException} with {@code
 * SOURCE_CHANGED}. Each file is checked when it is opened. {@link #verifyUnchanged} checks all of them again: call it
 * before what was read is called complete.
 */
public final class TreeSource implements Storage {
    private static final int MAX_IDLE_CHANNELS = 64;

    private final ScannedTree tree;
    private final Manifest manifest;
    private final SourceFiles files;
    /** Files that are larger than the ranges read from them; the others are opened, read and closed in one go. */
    private final ChannelCache channels = new ChannelCache(MAX_IDLE_CHANNELS, this::open);

    public TreeSource(ScannedTree tree) {
        this.tree = tree;
        this.manifest = tree.manifest();
        this.files = new SourceFiles(tree);
    }

    /** What the data belongs to. */
    public Manifest manifest() {
        return manifest;
    }

    @Override
    public long sizeBytes() {
        return manifest.totalBytes();
    }

    @Override
    public void read(long offsetBytes, ByteBuffer target) throws IOException {
        Ranges.forEachFile(manifest, offsetBytes, target, this::readFile);
    }

    private void readFile(int entry, long positionBytes, ByteBuffer part) throws IOException {
        boolean complete;
        try {
            if (part.remaining() == manifest.sizeBytes(entry)) {
                try (FileChannel channel = open(entry)) {
                    complete = Ranges.readFully(channel, positionBytes, part);
                }
            } else {
                try (ChannelCache.Lease lease = channels.lease(entry)) {
                    complete = Ranges.readFully(lease.channel(), positionBytes, part);
                }
            }
        } catch (IOException e) {
            throw FileFailures.named(tree.path(entry), e);
        }
        if (!complete) {
            throw FileFailures.changed(tree.path(entry), "became shorter");
        }
    }

    @Override
    public @Nullable FileRange fileRange(long offsetBytes, int lengthBytes) throws IOException {
        int entry = Ranges.onlyFile(manifest, offsetBytes, lengthBytes);
        return entry < 0 ? null : channels.lease(entry).asRange(offsetBytes - manifest.offsetBytes(entry));
    }

    private FileChannel open(int entry) throws IOException {
        verifyUnchanged(entry, tree.path(entry));
        return files.open(entry);
    }

    /**
     * Looks at all files once more, in the end.
     *
     * @throws RobberException {@code SOURCE_CHANGED}, naming a file that was changed since the scan
     */
    public void verifyUnchanged() {
        for (int i = 0; i < manifest.entryCount(); i++) {
            if (manifest.kind(i) == EntryKind.FILE) {
                verifyUnchanged(i, tree.path(i));
            }
        }
    }

    private void verifyUnchanged(int entry, Path path) {
        FileStat stat;
        try {
            stat = FileStat.ofAny(path);
        } catch (IOException e) {
            throw FileFailures.source("read", "cannot read " + RawPaths.text(path) + ": " + FileFailures.reason(e), e);
        }
        if (stat == null) {
            throw FileFailures.changed(path, "vanished");
        }
        if (stat.isFile() && stat.sizeBytes() != manifest.sizeBytes(entry)) {
            throw FileFailures.changed(
                    path, "had " + manifest.sizeBytes(entry) + " bytes and now has " + stat.sizeBytes());
        }
        if (!tree.isUnchanged(entry, stat)) {
            throw FileFailures.changed(path, "was written to or replaced");
        }
    }

    /** Always fails: a source is never written to. */
    @Override
    public void write(long offsetBytes, ByteBuffer source) {
        throw new UnsupportedOperationException("a source is never written to");
    }

    @Override
    public void close() throws IOException {
        try (files) {
            channels.close();
        }
    }
}
