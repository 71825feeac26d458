package org.robber.core.steal;

import java.util.ArrayList;
import java.util.List;
import org.robber.core.piece.PieceSet;
import org.robber.core.topology.DataPlacement;
import org.robber.core.topology.Topology;

/**
 * The pieces that a cluster steals first, next and third among equally scarce ones. Each piece is the first choice of one cluster, the
 * next choice of another, and the third choice of a third one. All claims are equally large and spread over all of the data, so each
 * member of a cluster has its part.
 *
 * <p>At the beginning of a multicast only the root's cluster has anything. Clusters that choose at random then fetch many of the same
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
     * The claims of a node's cluster. Each piece has its claimants: the C clusters that lack it at the start. In a multicast these are all
     * but the root's, and cluster i of them claims the pieces i, i + C, i + 2C, ... Of each claim, each of the C - 1 others takes every
     * (C - 1)-th piece next. Of the pieces that are next for others, it takes every (C - 2)-th third.
     */
    public static ClusterClaim of(int rank, DataPlacement placement, Topology topology) {
        int pieceCount = placement.pieceCount();
        ClusterClaim claim =
                new ClusterClaim(PieceSet.empty(pieceCount), PieceSet.empty(pieceCount), PieceSet.empty(pieceCount));
        List<PieceSet> lacked = new ArrayList<>();
        for (int cluster = 0; cluster < topology.clusterCount(); cluster++) {
            lacked.add(placement.lackedBy(cluster, topology));
        }
        int cluster = topology.clusterOf(rank);
        PieceSet ownWork = lacked.get(cluster);
        for (int word = 0; word < ownWork.wordCount(); word++) {
            long left = ownWork.word(word);
            while (left != 0) {
                // The pieces that the same clusters lack as the first one. Mostly, these are all.
                long alike = left;
                long first = Long.lowestOneBit(left);
                int index = 0;
                int claimants = 0;
                for (int other = 0; other < lacked.size(); other++) {
                    long lackedByOther = lacked.get(other).word(word);
                    if ((lackedByOther & first) == 0) {
                        alike &= ~lackedByOther;
                    } else {
                        alike &= lackedByOther;
                        index += other < cluster ? 1 : 0;
                        claimants++;
                    }
                }
                claim.add(word, alike, index, claimants);
                left &= ~alike;
            }
        }
        return claim;
    }

    /** Adds some pieces of a word. Of so many claimants, this one has that index. */
    private void add(int word, long pieces, int index, int claimants) {
        for (long left = pieces; left != 0; left &= left - 1) {
            int piece = word * Long.SIZE + Long.numberOfTrailingZeros(left);
            int after = Math.floorMod(index - piece, claimants);
            if (after == 0) {
                first.add(piece);
            } else {
                addLater(piece, after - 1, piece / claimants, claimants - 1);
            }
        }
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
