package org.robber.cli.verify;

import java.util.List;
import org.robber.JobControl.JobProgress;
import org.robber.cli.node.NodeOutput;

/** How much of their copies the nodes of this process have read, shown as the progress of a job. Thread-safe. */
final class VerifyProgress {
    private static final long INTERVAL_NANOS = 100_000_000;

    private final NodeOutput output;
    private final int nodes;
    private long bytesRead;
    private long bytesTotal;
    private int nodesDone;
    private long shownNanos = System.nanoTime();

    /** @param nodes how many nodes this process runs */
    VerifyProgress(NodeOutput output, int nodes) {
        this.output = output;
        this.nodes = nodes;
    }

    /** A node begins to read a copy of this size. Others follow, so the size of all is not known yet. */
    synchronized void begin(long bytes) {
        if (bytesTotal == 0) {
            output.started(JobProgress.UNKNOWN);
        }
        bytesTotal += bytes;
    }

    /** A node has read so many bytes more. */
    synchronized void read(long bytes) {
        bytesRead += bytes;
        // Each goes to another process, perhaps on another host.
        if (System.nanoTime() - shownNanos >= INTERVAL_NANOS) {
            show();
        }
    }

    /** A node has read all its copies. */
    synchronized void nodeDone() {
        nodesDone++;
        show();
    }

    private void show() {
        shownNanos = System.nanoTime();
        output.progress(new JobProgress(bytesRead, bytesTotal, nodesDone, nodes, List.of()));
    }
}
