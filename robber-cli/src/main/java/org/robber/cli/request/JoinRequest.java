package org.robber.cli.request;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.robber.cli.report.OutputFormat;

/**
 * The request of a user whose node joins a job.
 *
 * @param destination as the user wrote it, with placeholders
 * @param memoryBytes budget for pieces in transit
 * @param requestWindow initial number of outstanding piece requests per peer
 * @param restart whether to discard a partial copy of an interrupted run
 * @param stateFolder where to keep the record of the copy
 * @param format how the result is printed
 * @param reportFile where the result goes as JSON, or null
 * @param deadline by when the copy must be complete, or null
 */
public record JoinRequest(
        String destination,
        long memoryBytes,
        int requestWindow,
        boolean restart,
        Path stateFolder,
        OutputFormat format,
        @Nullable Path reportFile,
        @Nullable TimeLimit deadline) {}
