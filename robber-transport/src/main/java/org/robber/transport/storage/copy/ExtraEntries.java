package org.robber.transport.storage.copy;

import com.google.common.collect.Sets;
import com.google.common.primitives.Bytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.transport.manifest.EntryKind;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.manifest.PathText;
import org.robber.transport.storage.file.EntryFilter;
import org.robber.transport.storage.file.FileFailures;
import org.robber.transport.storage.file.RawPaths;
import org.robber.transport.storage.file.Staging;

/**
 * What the directories of a copy hold besides it, as {@code rsync --delete} understands it: only directories that are in the manifest are
 * looked at. Each is opened inside the open handle of its parent, and no link is followed, so nothing outside of the destination is
 * ever found or removed. Half-written copies of other jobs count as nothing extra in a destination. Neither does an entry that the file
 * system takes for one of the copy because it ignores case.
 */
public final class ExtraEntries {

    private static final Set<PosixFilePermission> OWNER_ALL = PosixFilePermissions.fromString("rwx------");
    private static final byte[] SLASH = {'/'};
    private static final byte[] NO_PATH = {};

    private final Path directory;
    private final Manifest manifest;
    private final EntryFilter chosen;
    private final boolean isStaged;

    private ExtraEntries(Path directory, Manifest manifest, EntryFilter chosen, boolean isStaged) {
        this.directory = directory;
        this.manifest = manifest;
        this.chosen = chosen;
        this.isStaged = isStaged;
    }

    /**
     * Of a destination.
     *
     * @param directory that takes the top entries of the manifest
     * @param chosen takes what may be removed: what the copy left out of the source stays in the destination
     */
    public ExtraEntries(Path directory, Manifest manifest, EntryFilter chosen) {
        this(directory, manifest, chosen, /* isStaged= */ false);
    }

    /** Of a half-written copy, in which no job has another one. */
    static ExtraEntries ofStaged(StagedTree tree, Manifest manifest) {
        return new ExtraEntries(tree.directory(), manifest, EntryFilter.ALL, /* isStaged= */ true);
    }

    /**
     * Names them, for people; directories behind what is in them. One that cannot be read is named with the reason.
     *
     * @throws RobberException {@code DESTINATION} if a directory of the copy cannot be read
     */
    public void list(Consumer<String> names) {
        visit(new Visit(false, names));
    }

    /**
     * Removes them.
     *
     * @return how many were removed; a directory counts as one, as does each entry in it
     * @throws RobberException {@code DESTINATION}, naming the first one that cannot be removed; the others are gone
     */
    public long remove() {
        Visit visit = new Visit(true, name -> {});
        visit(visit);
        if (visit.failure != null) {
            throw FileFailures.destination(
                    "commit",
                    "the copy is complete, but not all that the source lacks is removed: " + visit.failure,
                    null);
        }
        return visit.count;
    }

    /** One walk. */
    private static final class Visit {
        private final boolean removes;
        private final Consumer<String> names;
        private long count;
        private @Nullable String failure;

        Visit(boolean removes, Consumer<String> names) {
            this.removes = removes;
            this.names = names;
        }
    }

    private void visit(Visit visit) {
        try (DirectoryStream<Path> top = Files.newDirectoryStream(directory)) {
            SecureDirectoryStream<Path> opened = secure(top);
            if (manifest.isRooted()) {
                visitKept(visit, 0, opened, NO_PATH);
                return;
            }
            for (int entry = 0; entry < manifest.entryCount(); entry = manifest.subtreeEnd(entry)) {
                Path name = RawPaths.resolve(Path.of(""), manifest.name(entry));
                if (manifest.kind(entry) == EntryKind.DIRECTORY && isDirectory(opened, name)) {
                    try (SecureDirectoryStream<Path> tree =
                            opened.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
                        visitKept(visit, entry, tree, manifest.name(entry));
                    }
                }
            }
        } catch (IOException e) {
            throw FileFailures.destination("commit", directory, e);
        }
    }

    private static SecureDirectoryStream<Path> secure(DirectoryStream<Path> stream) throws IOException {
        if (stream instanceof SecureDirectoryStream<Path> secure) {
            return secure;
        }
        throw new IOException("this system cannot remove files safely: leave out --delete");
    }

    /** Looks at a directory of the copy, which is open. */
    private void visitKept(Visit visit, int entry, SecureDirectoryStream<Path> opened, byte[] path) throws IOException {
        Set<String> files = new HashSet<>();
        List<Integer> directories = new ArrayList<>();
        int end = manifest.subtreeEnd(entry);
        for (int child = entry + 1; child < end; child = manifest.subtreeEnd(child)) {
            files.add(key(manifest.name(child)));
            if (manifest.kind(child) == EntryKind.DIRECTORY) {
                directories.add(child);
            }
        }
        List<Path> children = children(opened);
        Set<String> otherwise = listedOtherwise(files, children, name -> attributes(opened, name) != null);
        for (Path child : children) {
            byte[] name = RawPaths.name(child);
            boolean isUnderAnotherCase = !otherwise.isEmpty() && otherwise.contains(CaseClash.folded(name));
            if (!files.contains(key(name)) && !isUnderAnotherCase) {
                visitExtra(visit, opened, child.getFileName(), join(path, name));
            }
        }
        for (int child : directories) {
            Path name = RawPaths.resolve(Path.of(""), manifest.name(child));
            if (isDirectory(opened, name)) {
                try (SecureDirectoryStream<Path> next = opened.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
                    visitKept(visit, child, next, join(path, manifest.name(child)));
                }
            }
        }
    }

    /** Tells whether the file system finds an entry by its name. */
    @FunctionalInterface
    interface Lookup {
        boolean finds(Path name) throws IOException;
    }

    /** The names, without case, of those that are found by their names, but not listed by them. */
    static Set<String> listedOtherwise(Set<String> keys, List<Path> children, Lookup lookup) throws IOException {
        Set<String> absent = new HashSet<>(keys);
        children.forEach(child -> absent.remove(key(RawPaths.name(child))));
        Set<String> otherwise = new HashSet<>();
        for (String key : absent) {
            byte[] name = key.getBytes(StandardCharsets.ISO_8859_1);
            if (lookup.finds(RawPaths.resolve(Path.of(""), name))) {
                otherwise.add(CaseClash.folded(name));
            }
        }
        return otherwise;
    }

    /** Names or removes an entry that the manifest does not have; returns whether nothing of it is left. */
    private boolean visitExtra(Visit visit, SecureDirectoryStream<Path> parent, Path name, byte[] path) {
        try {
            boolean isDirectory = isDirectory(parent, name);
            boolean isOfOtherJob = !isStaged && Staging.isStaging(key(RawPaths.name(name)));
            if (isOfOtherJob || !chosen.takes(path, isDirectory)) {
                return false;
            }
            if (isDirectory && !emptied(visit, parent, name, path)) {
                return false;
            }
            if (visit.removes) {
                if (isDirectory) {
                    parent.deleteDirectory(name);
                } else {
                    parent.deleteFile(name);
                }
            }
            visit.count++;
            visit.names.accept(PathText.of(path) + (isDirectory ? "/" : ""));
            return true;
        } catch (IOException e) {
            String failure = PathText.of(path) + ": " + FileFailures.reason(e);
            if (!visit.removes) {
                visit.names.accept(failure + ", so what is in it is not listed");
            } else if (visit.failure == null) {
                visit.failure = failure;
            }
            return !visit.removes;
        }
    }

    private boolean emptied(Visit visit, SecureDirectoryStream<Path> parent, Path name, byte[] path)
            throws IOException {
        PosixFileAttributeView view =
                parent.getFileAttributeView(name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        Set<PosixFilePermission> mode = view.readAttributes().permissions();
        // Bits beyond permissions would be lost, so the mode changes only where it must.
        boolean isOpened = visit.removes && !mode.containsAll(OWNER_ALL);
        if (isOpened) {
            view.setPermissions(Sets.union(mode, OWNER_ALL));
        }
        boolean empty = false;
        try (SecureDirectoryStream<Path> opened = parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
            List<Path> children = children(opened);
            empty = true;
            for (Path child : children) {
                empty &= visitExtra(visit, opened, child.getFileName(), join(path, RawPaths.name(child)));
            }
        } finally {
            if (isOpened && !empty) {
                view.setPermissions(mode);
            }
        }
        return empty;
    }

    /** All names, before any of them is removed. */
    private static List<Path> children(DirectoryStream<Path> opened) throws IOException {
        List<Path> children = new ArrayList<>();
        try {
            opened.forEach(children::add);
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return children;
    }

    /** Whether there is a directory of this name. */
    private static boolean isDirectory(SecureDirectoryStream<Path> parent, Path name) throws IOException {
        BasicFileAttributes attributes = attributes(parent, name);
        return attributes != null && attributes.isDirectory();
    }

    /** Null if there is no entry of this name. */
    private static @Nullable BasicFileAttributes attributes(SecureDirectoryStream<Path> parent, Path name)
            throws IOException {
        try {
            return parent.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .readAttributes();
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private static byte[] join(byte[] path, byte[] name) {
        return path.length == 0 ? name : Bytes.concat(path, SLASH, name);
    }

    private static String key(byte[] name) {
        return new String(name, StandardCharsets.ISO_8859_1);
    }
}
