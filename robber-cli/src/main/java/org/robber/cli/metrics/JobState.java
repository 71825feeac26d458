package org.robber.cli.metrics;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What rank 0 knows of its job at a moment.
 *
 * @param source what is copied, as the user wrote it
 * @param startSeconds when rank 0 had all nodes, in seconds since 1970
 * @param phase what the job does
 * @param dataBytes size of the data; 0 while it is not known
 * @param end how it has ended, or null
 */
public record JobState(
        String source,
        String strategy,
        double startSeconds,
        String phase,
        long dataBytes,
        @Nullable End end,
        List<Node> nodes) {

    /**
     * The end of a job.
     *
     * @param endSeconds when that was, in seconds since 1970
     */
    public record End(int exitCode, double endSeconds) {}

    /**
     * A node of it.
     *
     * @param lost whether the job goes on without it
     * @param verifiedBytes how much of the data it has
     * @param receivedBytes what it has received from each cluster, by the name of the cluster
     */
    public record Node(
            int rank,
            String name,
            String host,
            String cluster,
            boolean lost,
            long verifiedBytes,
            Map<String, Long> receivedBytes) {}
}
