package org.robber.cli.request;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a node does with the copy that it has or makes.
 *
 * @param restart whether to discard partial copies of an interrupted run
 * @param checksum whether files are compared by their bytes, even if their sizes and times are those of an earlier copy
 * @param fsync whether the copy is on the disk before the job says that it is complete
 * @param stateFolder where to keep records of complete copies, or null for nowhere
 */
public record CopyRules(
        boolean restart,
        boolean checksum,
        boolean fsync,
        @Nullable Path stateFolder) {
    /** The same with records elsewhere. */
    CopyRules withStateFolder(@Nullable Path folder) {
        return new CopyRules(restart, checksum, fsync, folder);
    }
}
