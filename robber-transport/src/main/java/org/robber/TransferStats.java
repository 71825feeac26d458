package org.robber;

import java.util.List;
import java.util.stream.IntStream;

/**
 * What one multicast moved, seen from one node.
 *
 * @param bytes size of the data
 * @param nanos from this node's call of {@code multicast} to its last verified piece
 * @param bytesReceivedFromCluster verified piece bytes that came from each cluster, by its number; the entry of the
 *     node's own cluster is local traffic, the others crossed the wide area
 * @param bytesSentToCluster piece bytes sent to each cluster, by its number
 * @param controlBytesSent bytes sent that are not piece bytes: heads of blocks, and all other messages
 * @param messagesSent messages sent, heads of blocks among them
 * @param piecesStolenWan pieces that came from other clusters
 * @param stealsWon how often this node was given work by a cluster mate
 * @param corruptPieces pieces that arrived but did not match their digest
 * @param bytesReused what this node had from an earlier run when the multicast began
 */
public record TransferStats(
        long bytes,
        long nanos,
        List<Long> bytesReceivedFromCluster,
        List<Long> bytesSentToCluster,
        long controlBytesSent,
        long messagesSent,
        int piecesStolenWan,
        int stealsWon,
        int corruptPieces,
        long bytesReused) {

    /** What this multicast and a later one of the same channel moved together; their times are added. */
    public TransferStats plus(TransferStats later) {
        return new TransferStats(
                bytes + later.bytes,
                nanos + later.nanos,
                sum(bytesReceivedFromCluster, later.bytesReceivedFromCluster),
                sum(bytesSentToCluster, later.bytesSentToCluster),
                controlBytesSent + later.controlBytesSent,
                messagesSent + later.messagesSent,
                piecesStolenWan + later.piecesStolenWan,
                stealsWon + later.stealsWon,
                corruptPieces + later.corruptPieces,
                bytesReused + later.bytesReused);
    }

    /** The same in another time. */
    public TransferStats withNanos(long newNanos) {
        return new TransferStats(
                bytes,
                newNanos,
                bytesReceivedFromCluster,
                bytesSentToCluster,
                controlBytesSent,
                messagesSent,
                piecesStolenWan,
                stealsWon,
                corruptPieces,
                bytesReused);
    }

    /** By cluster; clusters may be missing at the end of either. */
    private static List<Long> sum(List<Long> one, List<Long> other) {
        return IntStream.range(0, Math.max(one.size(), other.size()))
                .mapToObj(cluster -> entry(one, cluster) + entry(other, cluster))
                .toList();
    }

    private static long entry(List<Long> values, int cluster) {
        return cluster < values.size() ? values.get(cluster) : 0;
    }
}
