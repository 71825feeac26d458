package org.robber.transport.storage.source;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.robber.transport.manifest.EntryKind;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.manifest.ManifestBuilder;
import org.robber.transport.manifest.SameEntries;
import org.robber.transport.storage.file.FileFailures;
import org.robber.transport.storage.file.RawPaths;

/**
 * Makes one tree of several sources, as rsync does: directories of one path become one, with mode and time of the first. Of
 * files of one path the first counts.
 */
final class MergedTrees {
    private final List<ScannedTree> trees;
    private final int[] next;
    private final ManifestBuilder builder = new ManifestBuilder();
    private final IntStream.Builder origins = IntStream.builder();
    private final LongStream.Builder inodes = LongStream.builder();
    private int depth;

    private MergedTrees(List<ScannedTree> trees) {
        this.trees = trees;
        this.next = new int[trees.size()];
    }

    /**
     * Merges trees of one source each.
     *
     * @throws org.robber.RobberException {@code SOURCE} if one source has a directory where another has none
     */
    static ScannedTree merge(List<ScannedTree> trees) {
        return trees.size() == 1 ? trees.get(0) : new MergedTrees(trees).merge();
    }

    private ScannedTree merge() {
        for (int first = first(); first >= 0; first = first()) {
            byte[] path = path(first);
            ScannedTree tree = trees.get(first);
            int entry = next[first];
            for (int other = 0; other < next.length; other++) {
                if (other != first && hasMore(other) && SameEntries.compare(path(other), path) == 0) {
                    check(tree, entry, trees.get(other), next[other]);
                    next[other]++;
                }
            }
            add(tree.manifest(), entry, path);
            origins.add(first);
            inodes.add(tree.inode(entry));
            next[first]++;
        }
        List<Path> bases = new ArrayList<>();
        List<SkippedEntry> skipped = new ArrayList<>();
        for (ScannedTree tree : trees) {
            bases.add(tree.base(0));
            skipped.addAll(tree.skipped());
        }
        return new ScannedTree(
                bases,
                origins.build().toArray(),
                builder.build(),
                skipped,
                inodes.build().toArray());
    }

    private boolean hasMore(int tree) {
        return next[tree] < trees.get(tree).manifest().entryCount();
    }

    private byte[] path(int tree) {
        return trees.get(tree).manifest().path(next[tree]);
    }

    /** The tree whose next entry comes first; -1 if there are no more. */
    private int first() {
        int first = -1;
        for (int tree = 0; tree < next.length; tree++) {
            if (hasMore(tree) && (first < 0 || SameEntries.compare(path(tree), path(first)) < 0)) {
                first = tree;
            }
        }
        return first;
    }

    private static void check(ScannedTree one, int entry, ScannedTree other, int itsEntry) {
        boolean isDirectory = one.manifest().kind(entry) == EntryKind.DIRECTORY;
        if (isDirectory != (other.manifest().kind(itsEntry) == EntryKind.DIRECTORY)) {
            throw FileFailures.source(
                    "scan",
                    RawPaths.text(one.path(entry)) + " and " + RawPaths.text(other.path(itsEntry))
                            + " would have one name, and only one of them is a directory: copy them to different places",
                    null);
        }
    }

    private void add(Manifest manifest, int entry, byte[] path) {
        int parents = 0;
        for (byte one : path) {
            parents += one == '/' ? 1 : 0;
        }
        for (; depth > parents; depth--) {
            builder.endDirectory();
        }
        builder.add(manifest, entry);
        if (manifest.kind(entry) == EntryKind.DIRECTORY && path.length > 0) {
            depth++;
        }
    }
}
