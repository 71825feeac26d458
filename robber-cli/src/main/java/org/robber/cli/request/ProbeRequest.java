package org.robber.cli.request;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.robber.cli.report.OutputFormat;

/**
 * A job of {@code robber-cli probe}; the same on every node.
 *
 * @param each about how long the rate of each direction is measured
 * @param scenario where rank 0 writes the network as a scenario, or null
 * @param format how rank 0 prints the result
 * @param reportFile where rank 0 writes the result as JSON, or null
 * @param deadline by when the job must have ended, or null
 */
public record ProbeRequest(
        Duration each,
        @Nullable Path scenario,
        OutputFormat format,
        @Nullable Path reportFile,
        @Nullable TimeLimit deadline)
        implements JobRequest {

    @Override
    public String settings() {
        return "probe --for=" + each.toMillis() + "ms";
    }

    @Override
    public ProbeRequest atSource(@Nullable String host) {
        return this;
    }

    @Override
    public ProbeRequest onHost(String host) {
        return this;
    }
}
