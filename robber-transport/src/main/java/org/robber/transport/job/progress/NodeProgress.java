package org.robber.transport.job.progress;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.robber.JobControl.JobProgress;
import org.robber.transport.control.ControlMessage.Progress;

/** How far each node is with one multicast, by the reports to rank 0. Not thread-safe. */
public final class NodeProgress {
    /** In place of the root's rank, where each root receives what others have. */
    public static final int SEVERAL_ROOTS = -1;

    private final String phase;
    private final long totalBytes;
    private final int rootRank;
    private final BitSet lost;
    private final long[] doneBytes;

    /** The bytes that each node has received from each cluster. */
    private final List<Map<Integer, Long>> received;

    private final BitSet began = new BitSet();
    private long lastChangeNanos;

    /**
     * A multicast begins.
     *
     * @param rootRank or {@link #SEVERAL_ROOTS}
     * @param lost the nodes without which the job goes on, which others may add to
     */
    NodeProgress(String phase, long totalBytes, int rootRank, int nodes, BitSet lost, long nowNanos) {
        this.phase = phase;
        this.totalBytes = totalBytes;
        this.rootRank = rootRank;
        this.lost = lost;
        this.doneBytes = new long[nodes];
        this.received = new ArrayList<>(Collections.nCopies(nodes, Map.of()));
        this.lastChangeNanos = nowNanos;
    }

    /** A node reports on this multicast; returns whether that is progress. */
    boolean heard(int rank, Progress progress, long nowNanos) {
        boolean isProgress = progress.bytesDone() > doneBytes[rank] || !began.get(rank);
        if (isProgress) {
            began.set(rank);
            doneBytes[rank] = progress.bytesDone();
            received.set(rank, progress.received());
            lastChangeNanos = nowNanos;
        }
        return isProgress;
    }

    /** Everyone that is left has everything. */
    void end() {
        for (int rank = 0; rank < doneBytes.length; rank++) {
            doneBytes[rank] = lost.get(rank) ? doneBytes[rank] : totalBytes;
        }
    }

    /** The silence begins anew. */
    void endSilence(long nowNanos) {
        lastChangeNanos = nowNanos;
    }

    /** For how long nothing has moved. */
    long silentNanos(long nowNanos) {
        return nowNanos - lastChangeNanos;
    }

    int nodes() {
        return doneBytes.length;
    }

    String phase() {
        return phase;
    }

    /** The only root, or {@link #SEVERAL_ROOTS}. */
    int rootRank() {
        return rootRank;
    }

    /** The bytes that the node has, by its last report. */
    long bytesDone(int rank) {
        return doneBytes[rank];
    }

    /** The bytes that the node has received from each cluster, by its last report. */
    Map<Integer, Long> bytesReceived(int rank) {
        return received.get(rank);
    }

    boolean isDone(int rank) {
        return doneBytes[rank] == totalBytes;
    }

    BitSet began() {
        return began;
    }

    /** Whether all nodes that are left have begun: who has not is busy with something else, as in any collective call. */
    boolean haveAllBegun() {
        return IntStream.range(0, doneBytes.length).allMatch(rank -> began.get(rank) || lost.get(rank));
    }

    /** Whether the job can go on without these nodes: neither rank 0 nor the only root is one of them. */
    boolean areOnlyReceivers(List<Integer> ranks) {
        return !ranks.contains(0) && !ranks.contains(rootRank);
    }

    /** Whether no other receiver is left. */
    boolean areAllReceivers(List<Integer> ranks) {
        return summary().nodes() <= ranks.size();
    }

    /** Whether this is the word on receivers that were all lost: then what was said before tells how far they came. */
    boolean lacksReceivers() {
        return summary().nodes() == 0 && !lost.isEmpty();
    }

    /** Receivers that lack something. */
    List<Integer> late() {
        return IntStream.range(0, doneBytes.length)
                .filter(rank -> rank != rootRank && !lost.get(rank) && !isDone(rank))
                .boxed()
                .toList();
    }

    /** All receivers together. */
    JobProgress summary() {
        long done = 0;
        int nodesDone = 0;
        int receivers = 0;
        for (int rank = 0; rank < doneBytes.length; rank++) {
            if (rank != rootRank && !lost.get(rank)) {
                done += doneBytes[rank];
                nodesDone += isDone(rank) ? 1 : 0;
                receivers++;
            }
        }
        return new JobProgress(done, totalBytes * receivers, nodesDone, receivers, late());
    }
}
