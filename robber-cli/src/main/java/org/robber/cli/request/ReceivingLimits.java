package org.robber.cli.request;

import com.google.common.collect.Iterables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.destination.DestinationInfo;
import org.robber.cli.progress.ByteText;

/**
 * What a node lets others write on its machine. It is the machine's own, and never comes from the job.
 *
 * @param folders that copies may go into, or replace; empty for everywhere
 * @param quotaBytes largest copy
 * @param keepFreeBytes room that must be left on the file system
 */
public record ReceivingLimits(List<Path> folders, long quotaBytes, long keepFreeBytes) {
    private static final ReceivingLimits NONE = new ReceivingLimits(List.of(), Long.MAX_VALUE, 0);

    public ReceivingLimits {
        folders = List.copyOf(folders);
    }

    /** Everything is allowed. */
    public static ReceivingLimits none() {
        return NONE;
    }

    /**
     * Refuses a destination elsewhere. Links to folders count as what they lead to.
     *
     * @param destination of this node, as the job says
     * @throws RobberException with {@code DESTINATION}
     */
    public void checkPlace(String destination) throws IOException {
        if (folders.isEmpty()) {
            return;
        }
        Path path = Path.of(destination);
        if (!path.isAbsolute() || Iterables.contains(path, Path.of(".."))) {
            throw refusal("DEST " + destination + " must be an absolute path without '..' here");
        }
        Path existing = path;
        while (!Files.exists(existing) && existing.getParent() != null) {
            if (Files.isSymbolicLink(existing)) {
                throw refusal("DEST " + destination + " leads through the link " + existing + ", which leads nowhere");
            }
            existing = existing.getParent();
        }
        if (Files.isRegularFile(existing) && existing.getParent() != null) {
            // A link to a file is replaced itself, so the folder counts in which it is. A stream follows links to fifos
            // and devices.
            existing = existing.getParent();
        }
        Path place = existing.toRealPath().resolve(existing.relativize(path)).normalize();
        for (Path folder : folders) {
            if (Files.isDirectory(folder) && place.startsWith(folder.toRealPath())) {
                return;
            }
        }
        throw refusal("DEST " + place + " is not allowed here: copies may go into "
                + folders.stream()
                        .map(folder -> folder + (Files.isDirectory(folder) ? "" : " (there is no such folder)"))
                        .collect(Collectors.joining(", ")));
    }

    /** The allowed folders that are not there, so that nothing can go into them. */
    public List<Path> missingFolders() {
        return folders.stream().filter(folder -> !Files.isDirectory(folder)).toList();
    }

    /**
     * Refuses a copy that is too large.
     *
     * @param bytes how large it is, or has become
     * @throws RobberException with {@code DESTINATION}
     */
    public void checkSize(long bytes) {
        if (bytes > quotaBytes) {
            throw refusal("the copy has " + ByteText.bytes(bytes) + ", and " + ByteText.bytes(quotaBytes)
                    + " are allowed there (quota of its daemon): copy less, or to elsewhere");
        }
    }

    /**
     * Refuses to use up the room that must be left.
     *
     * @param place on the file system that is written to
     * @throws RobberException with {@code DESTINATION}
     */
    public void checkRoom(Path place) {
        if (keepFreeBytes > 0) {
            long freeBytes = DestinationInfo.freeBytes(place);
            if (freeBytes < keepFreeBytes) {
                throw refusal(ByteText.bytes(freeBytes) + " are free at " + place + ", and "
                        + ByteText.bytes(keepFreeBytes) + " must stay free there (keep-free of its daemon): free some");
            }
        }
    }

    private static RobberException refusal(String why) {
        return new RobberException(Reason.DESTINATION, List.of(), "prepare", why);
    }
}
