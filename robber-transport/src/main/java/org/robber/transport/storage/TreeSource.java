package org.robber.transport.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.Storage;
import org.robber.transport.manifest.EntryKind;
import org.robber.transport.manifest.Manifest;

/**
 * The data of a scanned tree: the bytes of its files, one after the other. For reading only.
 *
 * <p>A file that isn't what was scanned any more, by size, time of change or inode, ends the job: {@link RobberException}
 * with {@code SOURCE_CHANGED}. That is looked at whenever a file is opened, and once more for all of them by {@link
 * #verifyUnchanged}, without which nothing read from here should be called complete.
 */
public final class TreeSource implements Storage {
    private static final int MAX_IDLE_CHANNELS = 64;
    private static final Set<OpenOption> READ = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

    private final ScannedTree tree;
    private final Manifest manifest;
    /** Files that are larger than the ranges read from them; the others are opened, read and closed in one go. */
    private final ChannelCache channels = new ChannelCache(MAX_IDLE_CHANNELS, this::open);

    public TreeSource(ScannedTree tree) {
        this.tree = tree;
        this.manifest = tree.manifest();
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
            throw Failures.named(tree.path(entry), e);
        }
        if (!complete) {
            throw Failures.changed(tree.path(entry), "became shorter");
        }
    }

    @Override
    public @Nullable FileRange fileRange(long offsetBytes, int lengthBytes) throws IOException {
        int entry = Ranges.onlyFile(manifest, offsetBytes, lengthBytes);
        return entry < 0 ? null : channels.lease(entry).asRange(offsetBytes - manifest.offsetBytes(entry));
    }

    private FileChannel open(int entry) throws IOException {
        Path path = tree.path(entry);
        // Looked at first: opening a fifo that has taken the file's place would wait for ever.
        verifyUnchanged(entry, path);
        try {
            return FileChannel.open(path, READ);
        } catch (NoSuchFileException e) {
            throw Failures.changed(path, "vanished");
        } catch (IOException e) {
            throw Failures.source("read", "cannot read " + RawPaths.text(path) + ": " + Failures.reason(e), e);
        }
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
            throw Failures.source("read", "cannot read " + RawPaths.text(path) + ": " + Failures.reason(e), e);
        }
        if (stat == null) {
            throw Failures.changed(path, "vanished");
        }
        if (stat.isFile() && stat.sizeBytes() != manifest.sizeBytes(entry)) {
            throw Failures.changed(path, "had " + manifest.sizeBytes(entry) + " bytes and now has " + stat.sizeBytes());
        }
        if (!tree.isUnchanged(entry, stat)) {
            throw Failures.changed(path, "was written to or replaced");
        }
    }

    /** Always fails: a source is never written to. */
    @Override
    public void write(long offsetBytes, ByteBuffer source) {
        throw new UnsupportedOperationException("a source is never written to");
    }

    @Override
    public void close() throws IOException {
        channels.close();
    }
}
