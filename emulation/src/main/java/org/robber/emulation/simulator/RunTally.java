package org.robber.emulation.simulator;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableSortedMap;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.robber.core.piece.PieceLayout;
import org.robber.core.piece.PieceSet;
import org.robber.core.topology.Topology;
import org.robber.emulation.run.NodeRun;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.simulator.checker.InvariantViolationException;
import org.robber.emulation.simulator.network.Connection;

/** Counts what happens in a run. */
final class RunTally {
    private final Topology topology;
    private final PieceLayout layout;
    private final long[] completeNanos;
    private final boolean[] finished;

    /** What each node ended without; null of those that did not. */
    private final @Nullable PieceSet[] givenUp;

    private final long[] localBytes;
    private final long[] outsideBytes;
    private final long[] stolenPieces;
    private final long[][] stolenBytes;
    private int unfinished;
    private int incomplete;

    RunTally(Topology topology, PieceLayout layout) {
        this.topology = topology;
        this.layout = layout;
        int size = topology.size();
        this.completeNanos = new long[size];
        Arrays.fill(completeNanos, -1);
        this.finished = new boolean[size];
        this.givenUp = new @Nullable PieceSet[size];
        this.localBytes = new long[size];
        this.outsideBytes = new long[size];
        this.stolenPieces = new long[size];
        this.stolenBytes = new long[topology.clusterCount()][topology.clusterCount()];
        this.unfinished = size;
        this.incomplete = size;
    }

    void pieceReceived(Connection connection, int piece) {
        int bytes = layout.lengthBytes(piece);
        int rank = connection.toRank();
        if (connection.leavesCluster()) {
            outsideBytes[rank] += bytes;
            stolenPieces[rank]++;
            stolenBytes[topology.clusterOf(connection.fromRank())][topology.clusterOf(rank)] += bytes;
        } else {
            localBytes[rank] += bytes;
        }
    }

    void completed(int rank, long nowNanos) {
        if (isComplete(rank)) {
            throw new InvariantViolationException("announces twice that it is complete");
        }
        completeNanos[rank] = nowNanos;
        incomplete -= hasEndedIncomplete(rank) ? 0 : 1;
    }

    /** The node has every piece that still exists, but not these. */
    void endedIncomplete(int rank, PieceSet pieces) {
        givenUp[rank] = pieces.copy();
        incomplete--;
    }

    boolean hasEndedIncomplete(int rank) {
        return givenUp[rank] != null;
    }

    /** The pieces that a node has ended without. */
    PieceSet givenUpBy(int rank) {
        return checkNotNull(givenUp[rank]);
    }

    /** This number of crashed nodes will start again. */
    void expected(int more) {
        unfinished += more;
        incomplete += more;
    }

    /** A crashed node starts again. */
    void restarted(int rank) {
        if (isComplete(rank) || hasEndedIncomplete(rank)) {
            givenUp[rank] = null;
            completeNanos[rank] = -1;
        }
        finished[rank] = false;
        incomplete++;
        unfinished++;
    }

    void finished(int rank) {
        if (finished[rank] || !(isComplete(rank) || hasEndedIncomplete(rank))) {
            throw new InvariantViolationException("announces too early that it has finished");
        }
        finished[rank] = true;
        unfinished--;
    }

    /** The node will never finish. */
    void crashed(int rank) {
        if (!finished[rank]) {
            unfinished--;
        }
        if (!isComplete(rank) && !hasEndedIncomplete(rank)) {
            incomplete--;
        }
        finished[rank] = true;
    }

    boolean isComplete(int rank) {
        return completeNanos[rank] >= 0;
    }

    boolean isFinished(int rank) {
        return finished[rank];
    }

    /** Whether every living node has everything. */
    boolean allComplete() {
        return incomplete == 0;
    }

    /** Whether every living node has finished. */
    boolean allFinished() {
        return unfinished == 0;
    }

    /** The bytes of pieces that each node has received so far. */
    long[] receivedBytes() {
        long[] received = new long[topology.size()];
        Arrays.setAll(received, rank -> localBytes[rank] + outsideBytes[rank]);
        return received;
    }

    ImmutableSortedMap<ClusterPair, Long> stolenBytes() {
        ImmutableSortedMap.Builder<ClusterPair, Long> stolen = ImmutableSortedMap.naturalOrder();
        for (ClusterPair pair : ClusterPair.all(stolenBytes.length)) {
            stolen.put(pair, stolenBytes[pair.from()][pair.to()]);
        }
        return stolen.buildOrThrow();
    }

    NodeRun nodeRun(int rank, long controlBytes) {
        return new NodeRun(
                rank, completeNanos[rank], localBytes[rank], outsideBytes[rank], stolenPieces[rank], controlBytes);
    }
}
