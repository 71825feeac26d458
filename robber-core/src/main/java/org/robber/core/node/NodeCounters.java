package org.robber.core.node;

/**
 * What a node has done so far in one multicast.
 *
 * @param piecesReceivedLocal pieces that came from nodes of the same cluster
 * @param piecesStolenGlobal pieces that came from other clusters
 * @param stealsSent how often it asked a cluster mate for work
 * @param stealsWon how often it was given work
 * @param piecesRejected requests that a peer refused, and pieces that arrived corrupt
 */
public record NodeCounters(
        int piecesReceivedLocal, int piecesStolenGlobal, int stealsSent, int stealsWon, int piecesRejected) {}
