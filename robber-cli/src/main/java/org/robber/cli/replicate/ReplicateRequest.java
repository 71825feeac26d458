package org.robber.cli.replicate;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.robber.ChannelOptions;
import org.robber.cli.report.OutputFormat;

/**
 * A job of {@code robber-cli replicate}; the same on every node but for placeholders in the destination.
 *
 * @param source what to copy, as the user wrote it: a slash at the end counts
 * @param destination where to, as the user wrote it, with placeholders
 * @param channel how to copy it
 * @param losses what the job does if nodes are lost
 * @param deadline when to give up, or null
 * @param format how the result is printed
 * @param reportFile where the report goes as JSON, or null
 * @param dryRun whether only to say what would be done
 * @param restart whether to discard partial copies of an interrupted run
 * @param stateFolder where to keep records of complete copies, or null for nowhere
 */
public record ReplicateRequest(
        String source,
        String destination,
        ChannelOptions channel,
        LossPolicy losses,
        @Nullable TimeLimit deadline,
        OutputFormat format,
        @Nullable Path reportFile,
        boolean dryRun,
        boolean restart,
        @Nullable Path stateFolder) {}
