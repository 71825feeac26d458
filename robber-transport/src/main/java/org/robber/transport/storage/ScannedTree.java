package org.robber.transport.storage;

import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.robber.transport.manifest.EntryAttributes;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.manifest.ManifestPart;

/** A scanned source: its manifest, its directory, and the entries that are left out. Immutable. */
public final class ScannedTree {
    private final Path base;
    private final Manifest manifest;
    private final List<SkippedEntry> skipped;
    private final long[] inodes;

    ScannedTree(Path base, Manifest manifest, List<SkippedEntry> skipped, long[] inodes) {
        this.base = base;
        this.manifest = manifest;
        this.skipped = List.copyOf(skipped);
        this.inodes = inodes;
    }

    /** The same without some of its files. */
    public ScannedTree without(BitSet files) {
        if (files.isEmpty()) {
            return this;
        }
        long[] left = IntStream.range(0, manifest.entryCount())
                .filter(entry -> !files.get(entry))
                .mapToLong(entry -> inodes[entry])
                .toArray();
        return new ScannedTree(base, ManifestPart.without(manifest, files), skipped, left);
    }

    /** Its entries. */
    public Manifest manifest() {
        return manifest;
    }

    /** What can't be copied: fifos, sockets, devices, and what this user may not read. */
    public List<SkippedEntry> skipped() {
        return skipped;
    }

    /** The directory that paths of entries begin at. */
    Path base() {
        return base;
    }

    /** Where the entry is. */
    Path path(int entry) {
        return RawPaths.resolve(base, manifest.path(entry));
    }

    /** Whether this is still the file that was scanned, unchanged as far as the file system tells. */
    boolean isUnchanged(int entry, FileStat stat) {
        EntryAttributes before = manifest.attributes(entry);
        EntryAttributes now = stat.attributes();
        return stat.isFile()
                && stat.sizeBytes() == manifest.sizeBytes(entry)
                && stat.inode() == inodes[entry]
                && now.isSameTime(before);
    }
}
