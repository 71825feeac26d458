package org.robber.emulation.simulator;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.robber.core.piece.PieceLayout;
import org.robber.core.topology.Topology;
import org.robber.emulation.run.NodeRun;
import org.robber.emulation.run.Timeline;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.simulator.network.Connection;
import org.robber.emulation.simulator.network.Network;

/** Counts what happens in a run. */
final class Tally {
    /** Beyond this many samples, every second one is dropped and the distance doubled. */
    private static final int MOST_SAMPLES = 1 << 10;

    private final Topology topology;
    private final PieceLayout layout;
    private final Network network;
    private final long[] completeNanos;
    private final boolean[] finished;
    private final long[] localBytes;
    private final long[] outsideBytes;
    private final long[] stolenPieces;
    private final long[][] stolenBytes;
    private int completeCount;
    private int finishedCount;
    private List<long[]> nodeSamples = new ArrayList<>();
    private List<ImmutableSortedMap<ClusterPair, Long>> linkSamples = new ArrayList<>();
    private long sampleNanos;
    private long nextSampleNanos;

    Tally(Topology topology, PieceLayout layout, Network network, long sampleNanos) {
        this.topology = topology;
        this.layout = layout;
        this.network = network;
        this.sampleNanos = sampleNanos;
        this.completeNanos = new long[topology.size()];
        Arrays.fill(completeNanos, -1);
        this.finished = new boolean[topology.size()];
        this.localBytes = new long[topology.size()];
        this.outsideBytes = new long[topology.size()];
        this.stolenPieces = new long[topology.size()];
        this.stolenBytes = new long[topology.clusterCount()][topology.clusterCount()];
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

    void completed(SimulatedNode node, long nowNanos) {
        if (completeNanos[node.rank()] >= 0 || !node.node().possession().isFull()) {
            throw new IllegalStateException("rank " + node.rank() + " says it is complete, and is not");
        }
        completeNanos[node.rank()] = nowNanos;
        completeCount++;
    }

    void finished(SimulatedNode node) {
        if (finished[node.rank()] || completeNanos[node.rank()] < 0) {
            throw new IllegalStateException("rank " + node.rank() + " says it has finished, and has not");
        }
        finished[node.rank()] = true;
        finishedCount++;
    }

    boolean isComplete(int rank) {
        return completeNanos[rank] >= 0;
    }

    boolean isFinished(int rank) {
        return finished[rank];
    }

    boolean allComplete() {
        return completeCount == topology.size();
    }

    boolean allFinished() {
        return finishedCount == topology.size();
    }

    /** Takes all samples that are due before this time. */
    void sampleUntil(long nanos) {
        while (nextSampleNanos < nanos && !allComplete()) {
            sample();
        }
    }

    private void sample() {
        long[] received = new long[topology.size()];
        Arrays.setAll(received, rank -> localBytes[rank] + outsideBytes[rank]);
        nodeSamples.add(received);
        linkSamples.add(network.crossedBytes());
        if (nodeSamples.size() > MOST_SAMPLES) {
            nodeSamples = everySecond(nodeSamples);
            linkSamples = everySecond(linkSamples);
            sampleNanos *= 2;
        }
        nextSampleNanos = nodeSamples.size() * sampleNanos;
    }

    private static <T> List<T> everySecond(List<T> samples) {
        List<T> kept = new ArrayList<>();
        for (int i = 0; i < samples.size(); i += 2) {
            kept.add(samples.get(i));
        }
        return kept;
    }

    /** The timeline, with a last sample of how it ended. */
    Timeline timeline() {
        sample();
        ImmutableList.Builder<ImmutableList<Long>> nodeBytes = ImmutableList.builder();
        for (int rank = 0; rank < topology.size(); rank++) {
            ImmutableList.Builder<Long> bytes = ImmutableList.builder();
            for (long[] sample : nodeSamples) {
                bytes.add(sample[rank]);
            }
            nodeBytes.add(bytes.build());
        }
        ImmutableSortedMap.Builder<ClusterPair, ImmutableList<Long>> linkBytes = ImmutableSortedMap.naturalOrder();
        for (ClusterPair pair : network.crossedBytes().keySet()) {
            ImmutableList.Builder<Long> bytes = ImmutableList.builder();
            for (ImmutableSortedMap<ClusterPair, Long> sample : linkSamples) {
                bytes.add(sample.getOrDefault(pair, 0L));
            }
            linkBytes.put(pair, bytes.build());
        }
        return new Timeline(sampleNanos, nodeBytes.build(), linkBytes.buildOrThrow());
    }

    ImmutableSortedMap<ClusterPair, Long> stolenBytes() {
        ImmutableSortedMap.Builder<ClusterPair, Long> stolen = ImmutableSortedMap.naturalOrder();
        for (int from = 0; from < stolenBytes.length; from++) {
            for (int to = 0; to < stolenBytes.length; to++) {
                if (from != to) {
                    stolen.put(new ClusterPair(from, to), stolenBytes[from][to]);
                }
            }
        }
        return stolen.buildOrThrow();
    }

    NodeRun nodeRun(SimulatedNode node) {
        int rank = node.rank();
        return new NodeRun(
                rank,
                completeNanos[rank],
                localBytes[rank],
                outsideBytes[rank],
                stolenPieces[rank],
                node.controlBytes());
    }
}
