package org.robber.transport.job.progress;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.robber.JobControl.JobProgress;
import org.robber.transport.control.ControlMessage.Progress;

/** How far each node is with a multicast, by the reports to rank 0. Not thread-safe. */
public final class NodeProgress {
    /** In place of the root's rank, where each root receives what others have. */
    public static final int SEVERAL_ROOTS = -1;

    private final long[] doneBytes;

    /** The last report of each node. Nodes may begin before rank 0, and do not repeat themselves. */
    private final @Nullable Progress[] latest;

    /** The bytes that each node has received from each cluster. */
    private final List<Map<Integer, Long>> received;

    /** When each node last said that its storage hangs. */
    private final Map<Integer, Long> hungNanos = new HashMap<>();

    private final BitSet began = new BitSet();
    private final BitSet lost = new BitSet();
    private String phase = "";
    private long totalBytes;
    private int rootRank;
    private long lastChangeNanos;

    NodeProgress(int nodes) {
        this.doneBytes = new long[nodes];
        this.latest = new Progress[nodes];
        this.received = new ArrayList<>(Collections.nCopies(nodes, Map.of()));
    }

    /** A multicast begins; earlier reports on it count. */
    void begin(String newPhase, long newTotalBytes, int newRootRank, long nowNanos) {
        phase = newPhase;
        totalBytes = newTotalBytes;
        rootRank = newRootRank;
        clear();
        began.clear();
        lastChangeNanos = nowNanos;
        for (int rank = 0; rank < latest.length; rank++) {
            Progress before = latest[rank];
            if (before != null) {
                count(rank, before, nowNanos);
            }
        }
    }

    /** A node reports; returns whether that is progress. */
    boolean heard(int rank, Progress progress, long nowNanos) {
        latest[rank] = progress;
        return count(rank, progress, nowNanos);
    }

    private boolean count(int rank, Progress progress, long nowNanos) {
        boolean isProgress =
                progress.phase().equals(phase) && (progress.bytesDone() > doneBytes[rank] || !began.get(rank));
        if (isProgress) {
            began.set(rank);
            doneBytes[rank] = progress.bytesDone();
            received.set(rank, progress.received());
            lastChangeNanos = nowNanos;
        }
        return isProgress;
    }

    /** The job goes on without this node; returns whether that is new. */
    boolean lose(int rank, long nowNanos) {
        boolean isNew = !lost.get(rank);
        lost.set(rank);
        lastChangeNanos = nowNanos;
        return isNew;
    }

    /** Everyone that is left has everything. */
    void end() {
        for (int rank = 0; rank < doneBytes.length; rank++) {
            doneBytes[rank] = lost.get(rank) ? doneBytes[rank] : totalBytes;
        }
    }

    /** Forgets how far nodes came with what has ended. */
    void clear() {
        Arrays.fill(doneBytes, 0);
        Collections.fill(received, Map.of());
    }

    /** The silence begins anew. */
    void excuseSilence(long nowNanos) {
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

    BitSet lost() {
        return lost;
    }

    /** Whether all nodes that are left have begun: who has not is busy with something else, as in any collective call. */
    boolean haveAllBegun() {
        return IntStream.range(0, doneBytes.length).allMatch(rank -> began.get(rank) || lost.get(rank));
    }

    /** The storage of the node hangs. */
    void hangs(int rank, long nowNanos) {
        hungNanos.put(rank, nowNanos);
    }

    /** Nodes that are left and whose storage has hung since then, in rising order. */
    List<Integer> hangingSince(long nanos) {
        return hungNanos.entrySet().stream()
                .filter(node -> !lost.get(node.getKey()) && node.getValue() - nanos >= 0)
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    /** Whether the job can go on without these nodes: neither rank 0 nor the only root is one of them. */
    boolean areOnlyReceivers(List<Integer> ranks) {
        return !ranks.contains(0) && !ranks.contains(rootRank);
    }

    /** Whether no other receiver is left. */
    boolean areAllReceivers(List<Integer> ranks) {
        return summary().nodes() <= ranks.size();
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
