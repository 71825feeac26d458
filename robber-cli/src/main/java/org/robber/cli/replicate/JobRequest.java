package org.robber.cli.replicate;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.cli.report.AbsentNode;

/** What the nodes of a job are to do: to copy, or to measure the network. */
public sealed interface JobRequest permits ReplicateRequest, ProbeRequest {
    /** When to give up, or null. */
    @Nullable
    TimeLimit deadline();

    /** The options that must be the same on every node. */
    String settings();

    /** Whether rank 0 reads the standard input of the command. */
    boolean readsStandardInput();

    /**
     * Whether the job may begin without some nodes that could not be started.
     *
     * @param absent how many
     * @param size of the job with them
     */
    boolean goesOnWithout(int absent, int size);

    /** The same without some nodes of the first {@code size}, if it goes on without them. */
    JobRequest without(List<AbsentNode> absent, int size);

    /** The same for a rank 0 that gets no copy. */
    JobRequest atSource();

    /** The same for a node on a host, as the user has named that. Rank 0 alone reports nodes that are absent. */
    JobRequest onHost(String host);
}
