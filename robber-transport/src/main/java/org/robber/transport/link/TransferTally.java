package org.robber.transport.link;

import com.google.common.collect.ImmutableSortedMap;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.robber.TransferStats;
import org.robber.core.node.NodeCounters;
import org.robber.core.topology.Topology;
import org.robber.transport.link.frame.MessagesSent;

/** Counts what one multicast moves at one node. Thread-safe. */
public final class TransferTally {
    private final Supplier<Topology> topology;
    private final long totalBytes;
    private final long startNanos = System.nanoTime();
    private final long reusedBytes;
    private final long lackedBytes;

    /** The pieces that count as progress. */
    private final IntPredicate wanted;

    private long[] receivedFromCluster;
    private long[] sentToCluster;
    private long verifiedBytes;
    private long arrivedBytes;
    private long relayedBytes;
    private long lastPieceNanos;
    private MessagesSent messages = MessagesSent.NONE;
    private int corruptPieces;
    private NodeCounters counters = new NodeCounters(0, 0, 0, 0, 0);

    /**
     * Of a node that is no root, and has so much from an earlier run.
     *
     * @param topology of all that this node knows; may become more
     */
    public TransferTally(Supplier<Topology> topology, long totalBytes, long reusedBytes) {
        this(topology, totalBytes, /* sourceBytes= */ 0, reusedBytes);
    }

    /** Of a node that has so much as a root, and so much of the rest from an earlier run. */
    public TransferTally(Supplier<Topology> topology, long totalBytes, long sourceBytes, long reusedBytes) {
        this(topology, totalBytes, sourceBytes + reusedBytes, reusedBytes, piece -> true);
    }

    /** Of a node that wants these pieces, and has or does not want so many bytes. It brings other pieces for other nodes. */
    public TransferTally(Supplier<Topology> topology, long totalBytes, long reusedBytes, IntPredicate wanted) {
        this(topology, totalBytes, reusedBytes, reusedBytes, wanted);
    }

    private TransferTally(
            Supplier<Topology> topology, long totalBytes, long verifiedBytes, long reusedBytes, IntPredicate wanted) {
        this.topology = topology;
        this.totalBytes = totalBytes;
        this.verifiedBytes = verifiedBytes;
        this.reusedBytes = reusedBytes;
        this.lackedBytes = totalBytes - verifiedBytes;
        this.wanted = wanted;
        this.lastPieceNanos = startNanos;
        this.receivedFromCluster = new long[topology.get().clusterCount()];
        this.sentToCluster = new long[topology.get().clusterCount()];
    }

    /**
     * A right piece has come from this node.
     *
     * @param isNew whether no other peer has sent the same piece before
     */
    public synchronized void received(int fromRank, int piece, int bytes, boolean isNew) {
        int cluster = topology.get().clusterOf(fromRank);
        receivedFromCluster = withRoomFor(cluster, receivedFromCluster);
        receivedFromCluster[cluster] += bytes;
        if (isNew) {
            verifiedBytes += wanted.test(piece) ? bytes : 0;
            lastPieceNanos = System.nanoTime();
        }
    }

    /** This node has made a piece itself. */
    synchronized void produced(int bytes) {
        verifiedBytes += bytes;
        lastPieceNanos = System.nanoTime();
    }

    /** Bytes of a block have come; whether they are right is found out when the piece is whole. */
    synchronized void arrived(int piece, int bytes) {
        if (wanted.test(piece)) {
            arrivedBytes += bytes;
        } else {
            relayedBytes += bytes;
        }
    }

    /** So many bytes of pieces have left for this node. */
    public synchronized void sent(int toRank, int bytes) {
        int cluster = topology.get().clusterOf(toRank);
        sentToCluster = withRoomFor(cluster, sentToCluster);
        sentToCluster[cluster] += bytes;
    }

    /** A node may join from a cluster that there was not before. */
    private static long[] withRoomFor(int cluster, long[] counts) {
        return cluster < counts.length ? counts : Arrays.copyOf(counts, cluster + 1);
    }

    public synchronized void sent(MessagesSent more) {
        messages = messages.plus(more);
    }

    synchronized void corrupt() {
        corruptPieces++;
    }

    synchronized void finished(NodeCounters last) {
        counters = last;
    }

    /** How far the node is, in bytes: counts those of pieces that are not whole yet, but is the total only if all is verified. */
    public synchronized long progressBytes() {
        return verifiedBytes == totalBytes
                ? totalBytes
                : Math.max(verifiedBytes, Math.min(reusedBytes + arrivedBytes, totalBytes - 1));
    }

    /** Whether this node lacks at most a sixteenth of what it lacked at the start. */
    synchronized boolean lacksLittle() {
        return totalBytes - verifiedBytes <= lackedBytes / 16;
    }

    /** Grows with each byte that comes or is produced, wanted here or not. */
    synchronized long activityBytes() {
        return arrivedBytes + relayedBytes + verifiedBytes;
    }

    /** The verified bytes that came from each cluster, by its number; without those with none. */
    public synchronized ImmutableSortedMap<Integer, Long> receivedByCluster() {
        ImmutableSortedMap.Builder<Integer, Long> received = ImmutableSortedMap.naturalOrder();
        for (int cluster = 0; cluster < receivedFromCluster.length; cluster++) {
            if (receivedFromCluster[cluster] > 0) {
                received.put(cluster, receivedFromCluster[cluster]);
            }
        }
        return received.build();
    }

    public synchronized TransferStats stats() {
        return new TransferStats(
                totalBytes,
                lastPieceNanos - startNanos,
                boxed(receivedFromCluster),
                boxed(sentToCluster),
                messages.bytes(),
                messages.count(),
                counters.piecesStolenGlobal(),
                counters.stealsWon(),
                corruptPieces,
                reusedBytes);
    }

    private static List<Long> boxed(long[] numbers) {
        return Arrays.stream(numbers).boxed().toList();
    }
}
