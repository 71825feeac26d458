package org.robber.transport.storage;

import static com.google.common.base.Preconditions.checkArgument;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.robber.core.manifest.Manifest;

/**
 * The directory in which a tree is put together before it is shown: fresh, beside the places where its entries will be, and
 * open to nobody else. What an earlier job left behind when it was killed has another name, and is left alone.
 */
final class Staging {
    private static final Pattern JOB_ID = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,99}");
    private static final int OWNER_ALL = 0700;

    private Staging() {}

    /** Makes the directory {@code .robber-JOBID.partial}. */
    static Path create(Destination destination, Manifest manifest, String jobId) {
        checkArgument(JOB_ID.matcher(jobId).matches(), "bad job id: %s", jobId);
        String name = ".robber-" + jobId + ".partial";
        while (isTopName(manifest, name)) {
            name += "_";
        }
        Path path = destination.directory().resolve(name);
        try {
            return Files.createDirectory(
                    path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (FileAlreadyExistsException e) {
            throw Failures.destination(
                    "prepare",
                    RawPaths.text(path)
                            + " exists: either another node of this job writes to the same destination, or a"
                            + " job of the same name was killed; each node needs a destination of its own",
                    e);
        } catch (IOException e) {
            throw Failures.destination("prepare", path, e);
        }
    }

    /** Whether the tree itself has an entry where the directory would be, say because it is a copy of an aborted job. */
    private static boolean isTopName(Manifest manifest, String name) {
        byte[] bytes = name.getBytes(US_ASCII);
        for (int i = 0; i < manifest.entryCount(); i++) {
            if (Destination.isTop(manifest, i) && Arrays.equals(manifest.name(i), bytes)) {
                return true;
            }
        }
        return false;
    }

    /** Removes the directory and all that is in it; follows no link. */
    static void delete(Path directory) throws IOException {
        FileStat stat = FileStat.ofAny(directory);
        if (stat == null) {
            return;
        }
        if (stat.isDirectory()) {
            if ((stat.mode() & OWNER_ALL) != OWNER_ALL) {
                AttributeWriter.setMode(directory, OWNER_ALL);
            }
            for (Path child : list(directory)) {
                delete(child);
            }
        }
        Files.delete(directory);
    }

    /** The stream is closed before anyone goes deeper: a deep tree would hold too many files open. */
    private static List<Path> list(Path directory) throws IOException {
        List<Path> children = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            stream.forEach(children::add);
        }
        return children;
    }
}
