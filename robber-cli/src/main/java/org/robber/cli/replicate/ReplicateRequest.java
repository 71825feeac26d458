package org.robber.cli.replicate;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.robber.ChannelOptions;

/**
 * What the user wants done; the same on every node but for what stands in the destination.
 *
 * @param source what to copy, as the user wrote it: a slash at the end counts
 * @param destination where to, as the user wrote it, with placeholders
 * @param channel how to copy it
 * @param losses what follows if nodes are lost
 * @param deadline when to give up, or null
 * @param format how the result is printed
 * @param reportFile where the report goes as JSON, or null
 * @param dryRun whether only to say what would be done
 * @param restart whether to begin anew where an earlier run was interrupted
 * @param stateFolder where to keep what copies consist of, or null
 */
public record ReplicateRequest(
        String source,
        String destination,
        ChannelOptions channel,
        LossPolicy losses,
        @Nullable Deadline deadline,
        OutputFormat format,
        @Nullable Path reportFile,
        boolean dryRun,
        boolean restart,
        @Nullable Path stateFolder) {

    /** How results are printed. */
    public enum OutputFormat {
        /** A table for people. */
        TEXT,
        /** JSON for programs. */
        JSON
    }
}
