package org.robber.core.steal;

import org.robber.core.piece.PieceSet;
import org.robber.core.topology.Topology;

/**
 * The pieces that a cluster steals first, next and third among equally scarce ones. Each piece is the first choice of one cluster, the
 * next choice of another, and the third choice of a third one. All claims are equally large and spread over all of the data, so each
 * member of a cluster has its part.
 *
 * <p>At the beginning only the root's cluster has anything. Clusters that choose at random then fetch many of the same
 * pieces over its access line, while other pieces wait; clusters that begin with their claims fetch each piece once, and
 * steal the rest from one another. A cluster with a faster line goes on to the claims of others. The idea is that of super-seeding
 * (BitTorrent, BEP 16), but the receivers decide, and not the seed.
 *
 * <p>Two clusters on the far side of a slow cut that went on to the same pieces would bring many of them over the cut
 * at the same time; so each has a part of every other claim to itself for a while.
 *
 * @param first what the cluster claims
 * @param next what it steals next; disjoint from {@code first}
 * @param third what it steals then; disjoint from both
 */
public record ClusterClaim(PieceSet first, PieceSet next, PieceSet third) {
    /**
     * The claims of a node's cluster: of C clusters without the root, cluster i claims the pieces i, i + C, i + 2C, ... Of each
     * claim the C - 1 others take every (C - 1)-th piece next, and of what is left to them the same way, third, every (C - 2)-th. Empty in
     * the cluster that holds the root.
     *
     * @param pieceCount number of pieces of the data, 0..{@link org.robber.core.piece.PieceLayout#MAX_PIECES}; that of all sets
     */
    public static ClusterClaim of(int rank, int rootRank, Topology topology, int pieceCount) {
        ClusterClaim claim =
                new ClusterClaim(PieceSet.empty(pieceCount), PieceSet.empty(pieceCount), PieceSet.empty(pieceCount));
        if (!topology.sameCluster(rank, rootRank)) {
            int claimants = topology.clusterCount() - 1;
            int cluster = topology.clusterOf(rank);
            int index = cluster < topology.clusterOf(rootRank) ? cluster : cluster - 1;
            for (int piece = 0; piece < pieceCount; piece++) {
                int after = Math.floorMod(index - piece, claimants);
                if (after == 0) {
                    claim.first.add(piece);
                } else {
                    claim.addLater(piece, after - 1, piece / claimants, claimants - 1);
                }
            }
        }
        return claim;
    }

    /** Adds a piece of another claim: of so many others, this one comes so many after the claimant. */
    private void addLater(int piece, int after, int round, int others) {
        int nextAfter = round % others;
        if (after == nextAfter) {
            next.add(piece);
        } else if (after - (after > nextAfter ? 1 : 0) == round / others % (others - 1)) {
            third.add(piece);
        }
    }
}
