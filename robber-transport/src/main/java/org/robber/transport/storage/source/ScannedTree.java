package org.robber.transport.storage.source;

import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.robber.transport.manifest.EntryAttributes;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.manifest.ManifestPart;
import org.robber.transport.storage.file.FileStat;
import org.robber.transport.storage.file.RawPaths;

/** A scanned source, or several that make one tree: its manifest, its directories, and the entries that are left out. Immutable. */
public final class ScannedTree {
    private final List<Path> bases;
    private final int[] origins;
    private final Manifest manifest;
    private final List<SkippedEntry> skipped;
    private final long[] inodes;

    ScannedTree(Path base, Manifest manifest, List<SkippedEntry> skipped, long[] inodes) {
        this(List.of(base), new int[manifest.entryCount()], manifest, skipped, inodes);
    }

    /**
     * @param bases the directories that paths of entries begin at
     * @param origins which of them each entry is below
     */
    ScannedTree(List<Path> bases, int[] origins, Manifest manifest, List<SkippedEntry> skipped, long[] inodes) {
        this.bases = List.copyOf(bases);
        this.origins = origins;
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
        int[] leftOrigins = IntStream.range(0, manifest.entryCount())
                .filter(entry -> !files.get(entry))
                .map(this::origin)
                .toArray();
        return new ScannedTree(bases, leftOrigins, ManifestPart.without(manifest, files), skipped, left);
    }

    /** Its entries. */
    public Manifest manifest() {
        return manifest;
    }

    /** What can't be copied: fifos, sockets, devices, and what this user may not read. */
    public List<SkippedEntry> skipped() {
        return skipped;
    }

    /** The number of the source that the entry is from. */
    int origin(int entry) {
        return origins[entry];
    }

    long inode(int entry) {
        return inodes[entry];
    }

    /** The directory that paths of the entries of this source begin at. */
    Path base(int origin) {
        return bases.get(origin);
    }

    /** Where the entry is. */
    Path path(int entry) {
        return path(entry, origins[entry]);
    }

    /** Where the directory is in this source; several can have one of this path. */
    Path path(int entry, int origin) {
        return RawPaths.resolve(bases.get(origin), manifest.path(entry));
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
