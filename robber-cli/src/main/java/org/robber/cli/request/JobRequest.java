package org.robber.cli.request;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.cli.report.AbsentNode;
import org.robber.cli.report.ReportFile;

/**
 * The task of the nodes of a job: to copy, to verify copies, or to measure the network. Unless a kind of job says otherwise, every node must take part at the start, and
 * all but rank 0 may be lost.
 */
public sealed interface JobRequest permits ReplicateRequest, VerifyRequest, ProbeRequest {
    /** When to give up, or null. */
    @Nullable
    TimeLimit deadline();

    /** Where rank 0 writes its report, or null. */
    @Nullable
    Path reportFile();

    /**
     * Removes the report of an earlier job, before the nodes of this one have met. Where it cannot be removed, it stays: rank 0 tells all nodes
     * later that it can write none.
     */
    default void removeEarlierReport() {
        ReportFile.removeIfPossible(reportFile());
    }

    /** The options that must be the same on every node. */
    String settings();

    /** Whether rank 0 reads the standard input of the command. */
    default boolean readsStandardInput() {
        return false;
    }

    /**
     * Whether the job may begin without some nodes that could not be started.
     *
     * @param absent how many
     * @param size of the job with them
     */
    default boolean goesOnWithout(int absent, int size) {
        return absent == 0;
    }

    /** Whether the job cannot do without the node of this rank. */
    default boolean needs(int rank) {
        return rank == 0;
    }

    /** The same without some nodes of the first {@code size}, if it goes on without them. */
    default JobRequest without(List<AbsentNode> absent, int size) {
        return this;
    }

    /**
     * The same for rank 0, which has no copy unless it has a part of the source.
     *
     * @param host where it runs, as the user has named that; null if that is this machine
     */
    JobRequest atSource(@Nullable String host);

    /** The same for a node on a host, as the user has named that. Rank 0 alone reports nodes that are absent. */
    JobRequest onHost(String host);
}
