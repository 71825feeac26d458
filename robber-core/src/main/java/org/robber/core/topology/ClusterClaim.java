package org.robber.core.topology;

import org.robber.core.piece.PieceSet;

/**
 * Which pieces a cluster steals first where it has the choice: every piece is claimed by one cluster without the root,
 * all claims are equally large, and each reaches through all of the data, so that every member of a cluster has its part.
 *
 * <p>At the beginning only the root's cluster has anything. Clusters that choose at random then fetch many of the same
 * pieces over its access line, while other pieces wait; clusters that begin with their claims fetch each piece once, and
 * steal the rest from one another. Nothing is withheld from anybody: a cluster whose line is faster goes on to what others
 * claim. The idea is that of super-seeding (BitTorrent, BEP 16), decided by those who ask instead of by the seed.
 */
public final class ClusterClaim {
    private ClusterClaim() {}

    /**
     * The claim of a node's cluster: of C clusters without the root, cluster i claims the pieces i, i + C, i + 2C, ...
     * Empty in the cluster that holds the root.
     *
     * @param pieceCount number of pieces of the data, 0..{@link org.robber.core.piece.PieceLayout#MAX_PIECES}
     * @return a new set with the capacity {@code pieceCount}
     */
    public static PieceSet of(int rank, int rootRank, Topology topology, int pieceCount) {
        PieceSet claim = PieceSet.empty(pieceCount);
        if (topology.sameCluster(rank, rootRank)) {
            return claim;
        }
        int claimants = topology.clusterCount() - 1;
        int cluster = topology.clusterOf(rank);
        int index = cluster < topology.clusterOf(rootRank) ? cluster : cluster - 1;
        for (int piece = index; piece < pieceCount; piece += claimants) {
            claim.add(piece);
        }
        return claim;
    }
}
