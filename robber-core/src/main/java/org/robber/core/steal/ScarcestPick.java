package org.robber.core.steal;

import java.util.List;
import org.robber.core.peer.Peer;
import org.robber.core.piece.PieceSet;
import org.robber.core.random.SeededRandom;

/**
 * Chooses the piece to request of a peer: first the pieces that no other peer offers, then the rest. So a line carries first what no
 * other line can carry. Among equally scarce pieces, the claim of the cluster comes first, then its next and its third choice ({@link
 * ClusterClaim}).
 *
 * <p>The first and the third choice are requested in ascending order, the next choice in descending order. So two clusters that
 * request the same claim begin at opposite ends and meet once. Clusters that choose at random would request many of the same pieces at
 * the same time. The third cluster seldom begins before the first has all of its claim. All other pieces are chosen at random.
 *
 * <p>A pass over the words of the sets, 64 pieces at a time, finds the class, and another the piece. The order is by the place in the word:
 * each part of the data, and so each member of a cluster, has pieces of each place, or of each that the claim has.
 */
final class ScarcestPick {
    /** Claimed, to be stolen next, third, later. */
    private static final int KINDS = 4;

    private static final int NEXT = 1;

    private static final int THIRD = 2;

    private static final int LATER = 3;

    /** Offered by no other peer, or by others. Each is divided by kinds. */
    private static final int CLASSES = 2 * KINDS;

    private final PieceSet askable;
    private final ClusterClaim claim;
    private final Peer peer;
    private final List<Peer> peers;

    private ScarcestPick(PieceSet askable, ClusterClaim claim, Peer peer, List<Peer> peers) {
        this.askable = askable;
        this.claim = claim;
        this.peer = peer;
        this.peers = peers;
    }

    /**
     * One of the pieces that are askable and that the peer offers, or -1 if there is none.
     *
     * @param claim what to prefer among equally scarce pieces; its sets of the same capacity
     * @param peers all who may be asked for them, with or without {@code peer}
     */
    static int pick(PieceSet askable, ClusterClaim claim, Peer peer, List<Peer> peers, SeededRandom random) {
        return new ScarcestPick(askable, claim, peer, peers).pick(random);
    }

    private int pick(SeededRandom random) {
        int[] sizes = new int[CLASSES];
        long[] places = new long[CLASSES];
        long[] members = new long[CLASSES];
        PieceSet offered = peer.offers().requestable();
        for (int word = askable.nextCommonWord(offered, 0);
                word >= 0;
                word = askable.nextCommonWord(offered, word + 1)) {
            classify(word, members);
            for (int order = 0; order < CLASSES; order++) {
                sizes[order] += Long.bitCount(members[order]);
                places[order] |= members[order];
            }
        }
        for (int order = 0; order < CLASSES; order++) {
            if (sizes[order] > 0) {
                return switch (order % KINDS) {
                    case LATER -> nth(order, random.nextInt(sizes[order]), members);
                    case NEXT -> last(order, Long.highestOneBit(places[order]), members);
                    default -> first(order, Long.lowestOneBit(places[order]), members);
                };
            }
        }
        return -1;
    }

    /** Sorts the candidates of one word into the classes; returns whether there are any. */
    private boolean classify(int word, long[] members) {
        long candidates = askable.word(word) & peer.offers().requestable().word(word);
        if (candidates == 0) {
            return false;
        }
        long byOthers = 0;
        for (Peer other : peers) {
            if (other != peer && other.isReady()) {
                byOthers |= other.offers().requestable().word(word);
            }
        }
        divide(word, candidates & ~byOthers, members, 0);
        divide(word, candidates & byOthers, members, KINDS);
        return true;
    }

    private void divide(int word, long equallyScarce, long[] members, int order) {
        long first = claim.first().word(word);
        long next = claim.next().word(word);
        long third = claim.third().word(word);
        members[order] = equallyScarce & first;
        members[order + NEXT] = equallyScarce & next;
        members[order + THIRD] = equallyScarce & third;
        members[order + LATER] = equallyScarce & ~(first | next | third);
    }

    /** The lowest piece of a class at a place in its word at which it has one. */
    private int first(int order, long place, long[] members) {
        for (int word = 0; ; word++) {
            if (classify(word, members) && (members[order] & place) != 0) {
                return word * Long.SIZE + Long.numberOfTrailingZeros(place);
            }
        }
    }

    /** The highest such piece. */
    private int last(int order, long place, long[] members) {
        for (int word = askable.wordCount() - 1; ; word--) {
            if (classify(word, members) && (members[order] & place) != 0) {
                return word * Long.SIZE + Long.numberOfTrailingZeros(place);
            }
        }
    }

    private int nth(int order, int n, long[] members) {
        int before = 0;
        for (int word = 0; ; word++) {
            if (classify(word, members)) {
                long bits = members[order];
                int here = Long.bitCount(bits);
                if (before + here > n) {
                    for (int skip = n - before; skip > 0; skip--) {
                        bits &= bits - 1;
                    }
                    return word * Long.SIZE + Long.numberOfTrailingZeros(bits);
                }
                before += here;
            }
        }
    }
}
