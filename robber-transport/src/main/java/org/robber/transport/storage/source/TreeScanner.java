package org.robber.transport.storage.source;

import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.Bytes;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.manifest.ManifestBuilder;
import org.robber.transport.manifest.ManifestException;
import org.robber.transport.storage.file.EntryFilter;
import org.robber.transport.storage.file.FileFailures;
import org.robber.transport.storage.file.FileStat;
import org.robber.transport.storage.file.RawPaths;

/**
 * Lists the entries of a source as {@code rsync -a} understands it: a directory is copied under its own name, or with
 * a slash at the end as its contents; a link is copied as a link, never followed, unless it is the source itself with a
 * slash at the end. Files with several hard links are copied as files of their own. Entries that can't be copied are listed.
 */
public final class TreeScanner {
    private static final String PHASE = "scan";
    private static final int READABLE_BY_ALL = 0444;
    private static final byte[] NO_PATH = {};
    private static final byte[] SLASH = {'/'};

    /** Their files say that they have no size, and have content. */
    private static final ImmutableSet<String> KERNEL_FILE_SYSTEMS =
            ImmutableSet.of("proc", "cgroup", "cgroup2", "debugfs", "tracefs", "securityfs");

    private final ManifestBuilder builder = new ManifestBuilder();
    private final List<SkippedEntry> skipped = new ArrayList<>();
    private long[] inodes = new long[64];
    private int count;

    private final EntryFilter filter;

    /** By device. */
    private final Map<Long, Boolean> untoldSizes = new HashMap<>();

    private TreeScanner(EntryFilter filter) {
        this.filter = filter;
    }

    /**
     * Scans a source.
     *
     * @param source a path as the user gave it; a slash at its end counts
     * @throws RobberException {@code SOURCE} if it is missing, can't be read at all, or is neither file, directory nor link
     */
    public static ScannedTree scan(String source) {
        return scan(source, EntryFilter.ALL);
    }

    /** The same for a part of the source. */
    public static ScannedTree scan(String source, EntryFilter filter) {
        try {
            return new TreeScanner(filter).scanSource(source);
        } catch (IOException e) {
            throw FileFailures.source(PHASE, "cannot read the source " + source + ": " + FileFailures.reason(e), e);
        } catch (InvalidPathException | ManifestException e) {
            throw FileFailures.source(PHASE, "cannot copy the source " + source + ": " + e.getMessage(), null);
        }
    }

    /** The same of several sources, which make one tree. */
    public static ScannedTree scan(List<String> sources, EntryFilter filter) {
        return MergedTrees.merge(
                sources.stream().map(source -> scan(source, filter)).toList());
    }

    /** Whether what is in the source is copied, and not the source by its name. */
    public static boolean meansContents(String source) {
        String last = source.substring(source.lastIndexOf('/') + 1);
        return last.isEmpty() || last.equals(".") || last.equals("..");
    }

    private ScannedTree scanSource(String source) throws IOException {
        if (source.isEmpty()) {
            throw FileFailures.source(PHASE, "the source is an empty name", null);
        }
        Path path = Path.of(source).toAbsolutePath();
        Path base = path.getParent();
        if (base == null || meansContents(source)) {
            FileStat stat = FileStat.ofTarget(path);
            if (!stat.isDirectory()) {
                throw FileFailures.source(
                        PHASE, "the source " + source + " is " + stat.typeText() + ", not a directory", null);
            }
            remember(stat);
            builder.root(stat.attributes());
            addContents(list(path, NO_PATH));
            base = path;
        } else {
            addSource(path, source);
        }
        if (count == 0) {
            throw FileFailures.source(PHASE, "the filters leave out the source " + source, null);
        }
        return new ScannedTree(base, builder.build(), skipped, inodes);
    }

    private void addSource(Path path, String source) throws IOException {
        FileStat stat = FileStat.of(path);
        Child child = new Child(RawPaths.name(path), path, NO_PATH);
        if (filter.takes(child.relative, stat.isDirectory())) {
            if (stat.isDirectory()) {
                List<Child> children = list(path, child.relative);
                beginDirectory(child.name, stat);
                addContents(children);
                builder.endDirectory();
            } else {
                addOther(child, stat);
            }
        }
        if (!skipped.isEmpty() && count == 0) {
            throw FileFailures.source(
                    PHASE,
                    "cannot copy the source " + source + ": " + skipped.get(0).reason(),
                    null);
        }
    }

    /** A name in a directory. */
    private static final class Child {
        private final byte[] name;
        private final Path path;
        /** From the top of what is copied. */
        private final byte[] relative;

        Child(byte[] name, Path path, byte[] parent) {
            this.name = name;
            this.path = path;
            this.relative = parent.length == 0 ? name : Bytes.concat(parent, SLASH, name);
        }
    }

    private static List<Child> list(Path directory, byte[] relative) throws IOException {
        List<Child> children = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            for (Path path : stream) {
                children.add(new Child(RawPaths.name(path), path, relative));
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        children.sort((a, b) -> Arrays.compareUnsigned(a.name, b.name));
        return children;
    }

    /** Adds these and all below them. Directories may be nested deeper than the stack of a thread reaches. */
    private void addContents(List<Child> children) {
        Deque<Iterator<Child>> open = new ArrayDeque<>();
        open.push(children.iterator());
        while (!open.isEmpty()) {
            if (open.peek().hasNext()) {
                List<Child> below = add(open.peek().next());
                if (below != null) {
                    open.push(below.iterator());
                }
            } else {
                open.pop();
                if (!open.isEmpty()) {
                    builder.endDirectory();
                }
            }
        }
    }

    /** Adds an entry; returns what is in it if it is a directory, which is open then; else null. */
    private @Nullable List<Child> add(Child child) {
        FileStat stat;
        try {
            stat = FileStat.of(child.path);
        } catch (NoSuchFileException e) {
            skip(child.path, "vanished while the source was scanned");
            return null;
        } catch (IOException e) {
            skip(child.path, FileFailures.reason(e));
            return null;
        }
        if (!filter.takes(child.relative, stat.isDirectory())) {
            return null;
        }
        if (!stat.isDirectory()) {
            addOther(child, stat);
            return null;
        }
        List<Child> below;
        try {
            below = list(child.path, child.relative);
        } catch (IOException e) {
            // Like rsync: the directory is made, but stays empty.
            skip(child.path, "its contents: " + FileFailures.reason(e));
            below = List.of();
        }
        beginDirectory(child.name, stat);
        return below;
    }

    private void beginDirectory(byte[] name, FileStat stat) {
        remember(stat);
        builder.directory(name, stat.attributes());
    }

    /** Adds what is no directory. */
    private void addOther(Child child, FileStat stat) {
        if (stat.isSymlink()) {
            addSymlink(child, stat);
        } else if (!stat.isFile()) {
            skip(child.path, stat.typeText());
        } else if ((stat.mode() & READABLE_BY_ALL) != READABLE_BY_ALL && !Files.isReadable(child.path)) {
            skip(child.path, "permission denied");
        } else {
            addFile(child, stat);
        }
    }

    private void addFile(Child child, FileStat stat) {
        if (stat.sizeBytes() == 0 && hasUntoldSizes(stat.device(), child.path)) {
            skip(
                    child.path,
                    "its file system does not tell its size; write its content to another file, and copy that");
        } else {
            remember(stat);
            builder.file(child.name, stat.attributes(), stat.sizeBytes());
        }
    }

    /** Whether files of this device have content that their size does not tell. To read one might wait for ever, as for the kernel's log. */
    private boolean hasUntoldSizes(long device, Path file) {
        return untoldSizes.computeIfAbsent(device, unseen -> {
            try {
                return KERNEL_FILE_SYSTEMS.contains(Files.getFileStore(file).type());
            } catch (IOException e) {
                return false;
            }
        });
    }

    private void addSymlink(Child child, FileStat stat) {
        byte[] target;
        try {
            target = RawPaths.bytes(Files.readSymbolicLink(child.path));
        } catch (IOException e) {
            skip(child.path, FileFailures.reason(e));
            return;
        }
        if (target.length == 0 || target.length > Manifest.MAX_PATH_BYTES) {
            skip(child.path, "a link with a target of " + target.length + " bytes");
            return;
        }
        remember(stat);
        builder.symlink(child.name, stat.attributes(), target);
    }

    private void skip(Path path, String reason) {
        skipped.add(new SkippedEntry(RawPaths.text(path), reason));
    }

    /** Goes before each entry that is added. */
    private void remember(FileStat stat) {
        if (count == inodes.length) {
            inodes = Arrays.copyOf(inodes, count * 2);
        }
        inodes[count++] = stat.inode();
    }
}
