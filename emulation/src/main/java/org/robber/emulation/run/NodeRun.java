package org.robber.emulation.run;

/**
 * The result of one node.
 *
 * @param rank its rank
 * @param completeNanos from the start of the transfer to its last verified piece; -1 if it never had everything
 * @param localBytes data received from its own cluster
 * @param outsideBytes data received from other clusters
 * @param stolenPieces pieces received from other clusters
 * @param controlBytes bytes sent that are not data, frame heads of pieces included
 */
public record NodeRun(
        int rank, long completeNanos, long localBytes, long outsideBytes, long stolenPieces, long controlBytes) {

    /** A node at which nothing has happened. */
    public static NodeRun idle(int rank) {
        return new NodeRun(rank, -1, 0, 0, 0, 0);
    }
}
