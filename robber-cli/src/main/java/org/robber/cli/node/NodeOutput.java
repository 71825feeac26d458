package org.robber.cli.node;

import org.robber.JobControl.JobProgress;

/**
 * Where a node's process sends what others want to know: to the terminal, or through a pipe to the process that started
 * it. Thread-safe.
 */
public interface NodeOutput {

    /** At rank 0: it listens at this port, and the others may come. */
    default void listening(int port) {}

    /** At rank 0: all nodes have come, so many with this one. */
    default void joined(int nodes) {}

    /** At rank 0: the transfer of so many bytes begins now; the report's seconds count from here. */
    void started(long bytesTotal);

    /** At rank 0: how far the job is. */
    void progress(JobProgress progress);

    /** At rank 0: the job goes on without this node; why, the log says. */
    void lost(int rank);

    /** At rank 0: a line of the result, or several. */
    void result(String line);

    /** Nothing more is said of the progress: its last state is shown. Processes of nodes may end after rank 0 has given the result. */
    default void ended() {}

    /** The process is about to end with this code, other than 0, because of this. */
    void error(int exitCode, String message);
}
