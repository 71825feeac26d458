package org.robber.cli.replicate;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.robber.cli.report.OutputFormat;

/**
 * A job of {@code robber-cli verify}; the same on every node.
 *
 * @param destination where the copies are, as it was written when they were made, with placeholders
 * @param repair whether damaged copies get from the others the data that they lack
 * @param stateFolder where the records of complete copies are
 * @param format how rank 0 prints the result
 * @param reportFile where rank 0 writes the result as JSON, or null
 * @param deadline by when the job must have ended, or null
 */
public record VerifyRequest(
        String destination,
        boolean repair,
        Path stateFolder,
        OutputFormat format,
        @Nullable Path reportFile,
        @Nullable TimeLimit deadline) {}
