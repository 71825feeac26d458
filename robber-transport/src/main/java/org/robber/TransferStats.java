package org.robber;

import java.util.List;

/**
 * What one multicast moved, seen from one node.
 *
 * @param bytes size of the data
 * @param nanos from this node's call of {@code multicast} to its last verified piece
 * @param bytesReceivedFromCluster verified piece bytes that came from each cluster, by its number; the entry of the
 *     node's own cluster is local traffic, the others crossed the wide area
 * @param bytesSentToCluster piece bytes sent to each cluster, by its number
 * @param controlBytesSent bytes sent that are not piece bytes: heads of blocks, and all other messages
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
        int piecesStolenWan,
        int stealsWon,
        int corruptPieces,
        long bytesReused) {}
