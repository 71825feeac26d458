package org.robber.transport.storage.record;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.robber.transport.digest.PieceHashers;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.storage.file.FileFailures;
import org.robber.transport.storage.file.RawPaths;
import org.robber.transport.storage.file.Staging;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the journals of complete copies in the user's state folder. Beside a copy, a comparison with the source would find
 * one file too many. Each directory that holds copies has a folder here, with a file {@code place} that names the
 * directory, and a journal of all pieces for each copy.
 */
public final class CopyRecords {
    private static final Logger LOG = LoggerFactory.getLogger(CopyRecords.class);
    private static final String SUFFIX = ".journal";
    private static final int ID_BYTES = 12;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,109}");

    private final Path folder;
    private final String host;

    /**
     * @param folder made when it is needed
     * @param host this machine: the folder may be shared by many, and directories of one name on each of them are not the same
     */
    public CopyRecords(Path folder, String host) {
        this.folder = folder;
        this.host = host;
    }

    /** The folder for the records of this user: {@code $XDG_STATE_HOME/robber}, or {@code ~/.local/state/robber}. */
    public static Path defaultFolder(Map<String, String> environment, String home) {
        String state = environment.getOrDefault("XDG_STATE_HOME", "");
        return (state.startsWith("/") ? Path.of(state) : Path.of(home, ".local", "state")).resolve("robber");
    }

    /**
     * Where the record of a copy is kept, or would be.
     *
     * @param directory that the copy is in
     * @param name of the copy: {@code TreeTarget.name}
     */
    public Path of(Path directory, String name) throws IOException {
        if (!NAME.matcher(name).matches()) {
            // it may be another node's word
            throw new IOException("no copy has the name " + name);
        }
        return folderFor(directory).resolve(name + SUFFIX);
    }

    /** The copies that were made of this destination: by name, when the last journal of each was kept. */
    public SortedMap<String, FileTime> copies(String destination) throws IOException {
        Path path = Path.of(destination).toAbsolutePath();
        boolean isDirectory = Files.isDirectory(path);
        Path directory = isDirectory ? path : path.getParent();
        SortedMap<String, FileTime> copies = new TreeMap<>();
        if (directory == null || !Files.isDirectory(directory)) {
            return copies;
        }
        for (Path record : recorded(folderFor(directory))) {
            FileTime time = CopyHistory.lastTime(record);
            if (time != null) {
                copies.put(name(record), time);
            }
        }
        String suffix = isDirectory ? "" : Staging.suffix(path);
        copies.keySet().removeIf(name -> !suffix(name).equals(suffix));
        return copies;
    }

    /** The records in the folder of a directory, also those of which only older journals are there. */
    static Set<Path> recorded(Path folder) throws IOException {
        Set<Path> records = new TreeSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + SUFFIX + "{,.[0-9]*}")) {
            for (Path file : files) {
                records.add(file.resolveSibling(name(file) + SUFFIX));
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            LOG.debug("Nothing is kept in {}", folder);
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return records;
    }

    /** The record of this name for the destination. */
    public Path record(String destination, String name) throws IOException {
        Path path = Path.of(destination).toAbsolutePath();
        Path parent = path.getParent();
        return of(Files.isDirectory(path) || parent == null ? path : parent, name);
    }

    /** As {@link Staging#suffix} in the name of a copy: empty unless it is of one file that has a name of its own in the directory. */
    static String suffix(String name) {
        int dash = name.indexOf('-');
        return dash < 0 ? "" : name.substring(dash);
    }

    /** The name of the copy that a journal is about. */
    static String name(Path journal) {
        String file = String.valueOf(journal.getFileName());
        return file.substring(0, file.lastIndexOf(SUFFIX));
    }

    private Path folderFor(Path directory) throws IOException {
        byte[] identity = (host + "\0" + directory.toRealPath()).getBytes(UTF_8);
        byte[] digest = PieceHashers.named("sha256").hash(ByteBuffer.wrap(identity));
        return folder.resolve("copies").resolve(HexFormat.of().formatHex(digest, 0, ID_BYTES));
    }

    /**
     * Makes room for the record of a copy in this directory, and forgets what was kept of directories that are no more. The record of the copy
     * before becomes an older journal. If nothing can be kept: null, and a warning.
     *
     * @throws org.robber.RobberException if there is a record of what was here before, and it cannot be set aside: it would pass for that of the copy, and a repair would bring
     *     the old files back
     */
    public @Nullable Path prepare(Path directory, String name) {
        try {
            Path record = of(directory, name);
            makeRoom(record);
            Path ofDirectory = record.getParent();
            if (ofDirectory == null) {
                return null;
            }
            Files.createDirectories(
                    ofDirectory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            Files.writeString(ofDirectory.resolve("place"), host + "\n" + directory.toRealPath() + "\n");
            forgetLost(folder.resolve("copies"));
            return record;
        } catch (IOException e) {
            warn(
                    "no record of the copy in " + RawPaths.text(directory) + " can be kept in " + RawPaths.text(folder),
                    e);
            return null;
        }
    }

    private static void makeRoom(Path record) throws IOException {
        try {
            CopyHistory.shift(record);
        } catch (IOException e) {
            if (!Files.exists(record)) {
                throw e;
            }
            throw FileFailures.destination(
                    "commit",
                    "the record of the copy before, " + RawPaths.text(record) + ", cannot be set aside: "
                            + FileFailures.reason(e)
                            + "; give this user the right to write there, remove it, or name another folder by --state-dir",
                    e);
        }
    }

    private void forgetLost(Path copies) {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(copies)) {
            for (Path one : folders) {
                List<String> place = lines(one.resolve("place"));
                if (place.size() == 2 && place.get(0).equals(host) && isLost(place.get(1))) {
                    Staging.delete(one);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            LOG.debug("Something in {} is not forgotten; another node of this machine may be at it", copies, e);
        }
    }

    private static boolean isLost(String directory) {
        try {
            return Files.notExists(Path.of(directory), LinkOption.NOFOLLOW_LINKS);
        } catch (InvalidPathException e) {
            LOG.debug("{} is no directory that records can be about", directory, e);
            return false;
        }
    }

    /** Empty if the file is missing or damaged: then its record is kept. */
    private static List<String> lines(Path file) throws IOException {
        try {
            return Files.readAllLines(file);
        } catch (NoSuchFileException | NotDirectoryException | CharacterCodingException e) {
            LOG.debug("{} tells nothing: {}", file, e.toString());
            return List.of();
        }
    }

    /**
     * Keeps the journal of a complete copy. A failure is a warning: the copy is complete without it.
     *
     * @param pieces what the journal names
     * @param whole what is in place now, if the journal is about a part of it; else null
     */
    public static void keep(VerifiedPieces pieces, Path journal, @Nullable Path record, @Nullable Manifest whole) {
        if (record == null) {
            return;
        }
        try {
            pieces.recordParts();
            if (whole == null) {
                CopyHistory.begin(record, journal);
            } else {
                CopyHistory.add(record, journal, whole);
            }
        } catch (IOException e) {
            warn("the record " + RawPaths.text(record) + " cannot be kept", e);
        }
    }

    private static void warn(String trouble, IOException e) {
        LOG.warn(
                "{}: {}; verify will not find the copy, so name another folder by --state-dir",
                trouble,
                FileFailures.reason(e));
    }
}
