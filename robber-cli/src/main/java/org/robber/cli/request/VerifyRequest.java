package org.robber.cli.request;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.robber.cli.destination.DestinationPattern;
import org.robber.cli.report.OutputFormat;

/**
 * A job of {@code robber-cli verify}; the same on every node but for placeholders in the destination.
 *
 * @param destination where the copies are, as it was written when they were made, with placeholders
 * @param hasCopy whether there is one of them at this node; not so at a rank 0 that only compares what others tell
 * @param repair whether damaged copies get from the others the data that they lack
 * @param stateFolder where the records of complete copies are; null: where each machine keeps them
 * @param format how rank 0 prints the result
 * @param reportFile where rank 0 writes the result as JSON, or null
 * @param deadline by when the job must have ended, or null
 */
public record VerifyRequest(
        String destination,
        boolean hasCopy,
        boolean repair,
        @Nullable Path stateFolder,
        OutputFormat format,
        @Nullable Path reportFile,
        @Nullable TimeLimit deadline)
        implements JobRequest {

    /** The same with records elsewhere. */
    public VerifyRequest withStateFolder(Path folder) {
        return new VerifyRequest(destination, hasCopy, repair, folder, format, reportFile, deadline);
    }

    @Override
    public String settings() {
        return "verify" + (repair ? " --repair" : "");
    }

    @Override
    public VerifyRequest atSource(@Nullable String host) {
        return new VerifyRequest(destination, false, repair, stateFolder, format, reportFile, deadline);
    }

    @Override
    public VerifyRequest onHost(String host) {
        return new VerifyRequest(
                DestinationPattern.ofHost(destination, host),
                hasCopy,
                repair,
                stateFolder,
                format,
                reportFile,
                deadline);
    }
}
