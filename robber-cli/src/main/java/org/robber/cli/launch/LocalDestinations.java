package org.robber.cli.launch;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.destination.DestinationInfo;
import org.robber.cli.report.FileFailure;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where the nodes of a local job write to, and what of it has to go if nothing has come there. */
public final class LocalDestinations {

    private static final Logger LOG = LoggerFactory.getLogger(LocalDestinations.class);

    /** The nodes' folders that were not there before. */
    private final List<Path> made = new ArrayList<>();
    /** The folder that {@link #prepare} has made. */
    private @Nullable Path parent;

    private LocalDestinations() {}

    /**
     * Makes the folder that the nodes' folders go into, if its parent exists.
     *
     * @param parent of the nodes' folders
     * @param destinations of the nodes
     * @throws RobberException with {@code DESTINATION}
     */
    public static LocalDestinations prepare(Path parent, List<Path> destinations) {
        LocalDestinations places = new LocalDestinations();
        for (Path destination : destinations) {
            Path absolute = destination.toAbsolutePath();
            if (!Files.exists(absolute)) {
                places.made.add(absolute);
            }
        }
        Path folder = destinations.get(0).toAbsolutePath().getParent();
        if (folder != null && folder.equals(parent.toAbsolutePath()) && !Files.exists(folder)) {
            try {
                Files.createDirectory(folder);
                places.parent = folder;
            } catch (FileAlreadyExistsException e) {
                LOG.debug(
                        "another job has made {} just now, or something that is no folder: its nodes will see", folder);
            } catch (IOException e) {
                String problem = DestinationInfo.of("", folder).problem();
                throw new RobberException(
                        Reason.DESTINATION,
                        List.of(),
                        "prepare",
                        problem.isEmpty()
                                ? "cannot make the folder " + FileFailure.text(e)
                                        + "; make it yourself, or choose another DEST"
                                : problem,
                        e);
            }
        }
        return places;
    }

    /** Removes folders that were made for nothing, of nodes that could not do it themselves. Idempotent. */
    public synchronized void removeLeftovers() {
        for (Path folder : made) {
            removeIfEmpty(folder);
        }
        removeUnused();
    }

    /** Removes the folder that was made for the nodes' folders, if there are none. */
    public void removeUnused() {
        if (parent != null) {
            removeIfEmpty(parent);
        }
    }

    private static void removeIfEmpty(Path folder) {
        try {
            if (Files.isDirectory(folder)) {
                Files.delete(folder);
            }
        } catch (DirectoryNotEmptyException e) {
            LOG.debug("{} stays: it holds a copy", folder);
        } catch (IOException e) {
            LOG.warn("cannot remove the empty folder {}", folder, e);
        }
    }
}
