package org.robber;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a node finds its job.
 *
 * @param job name of the job; nodes of other jobs are refused
 * @param host where rank 0 listens, a name or a numeric address
 * @param port where rank 0 listens; 0 at rank 0 itself: any free one
 * @param rank this node, 0..size-1
 * @param size how many nodes take part, at least 1
 * @param cluster name of this node's cluster, or null: nodes of one subnet are one cluster
 * @param secret what all nodes of the job know and nobody else; empty: no secret
 * @param connectTimeout how long to wait until all are there
 * @param silenceTimeout how long a node may say nothing on its control connection before it counts as lost
 * @param settings what must be equal on all nodes, as text
 */
public record JobOptions(
        String job,
        String host,
        int port,
        int rank,
        int size,
        @Nullable String cluster,
        byte[] secret,
        Duration connectTimeout,
        Duration silenceTimeout,
        String settings) {}
