package org.robber.core.transfer;

import java.util.List;
import org.robber.core.piece.PieceSet;
import org.robber.core.random.SeededRandom;
import org.robber.core.topology.ClusterClaim;

/**
 * Chooses what to ask of one peer by who else could give it: pieces that no other peer offers come first, then those that
 * one other offers, then the rest. So a line that alone can bring certain pieces isn't spent on pieces that another line
 * could bring as well. Among equally scarce pieces those come first that our cluster claims, then those it steals next
 * ({@link ClusterClaim}); beyond that the choice is random, so that clusters that see the same offers choose apart.
 *
 * <p>One pass over the words of the sets, 64 pieces at a time.
 */
final class ScarcestPick {
    /** Claimed, to be stolen next, neither. */
    private static final int KINDS = 3;

    /** Offered by no other peer, by one, by more: as fine as two bits of carry can tell. Each is divided by kinds. */
    private static final int CLASSES = 3 * KINDS;

    /** There are only pieces that may not be asked for out of turn. */
    static final int OUT_OF_TURN = -2;

    /** The classes of what only this peer offers and another cluster claims. */
    private static final int SOLE_NEXT = 1;

    private static final int SOLE_OTHER = 2;

    private final PieceSet askable;
    private final ClusterClaim claim;
    private final boolean outOfTurn;
    private final Peer peer;
    private final List<Peer> peers;

    private ScarcestPick(PieceSet askable, ClusterClaim claim, boolean outOfTurn, Peer peer, List<Peer> peers) {
        this.askable = askable;
        this.claim = claim;
        this.outOfTurn = outOfTurn;
        this.peer = peer;
        this.peers = peers;
    }

    /**
     * One of the pieces that are askable and that the peer offers, or a negative number if there is none: {@link
     * #OUT_OF_TURN} or -1.
     *
     * @param claim what to prefer among equally scarce pieces; its sets of the same capacity
     * @param outOfTurn whether to choose what only this peer offers and another cluster claims
     * @param peers all who may be asked for them, with or without {@code peer}
     */
    static int pick(
            PieceSet askable, ClusterClaim claim, boolean outOfTurn, Peer peer, List<Peer> peers, SeededRandom random) {
        return new ScarcestPick(askable, claim, outOfTurn, peer, peers).pick(random);
    }

    private int pick(SeededRandom random) {
        int[] sizes = new int[CLASSES];
        long[] members = new long[CLASSES];
        for (int word = 0; word < askable.wordCount(); word++) {
            if (classify(word, members)) {
                for (int order = 0; order < CLASSES; order++) {
                    sizes[order] += Long.bitCount(members[order]);
                }
            }
        }
        for (int order = 0; order < CLASSES; order++) {
            if (sizes[order] > 0 && (outOfTurn || (order != SOLE_NEXT && order != SOLE_OTHER))) {
                return nth(order, random.nextInt(sizes[order]), members);
            }
        }
        return sizes[SOLE_NEXT] + sizes[SOLE_OTHER] > 0 ? OUT_OF_TURN : -1;
    }

    /** Sorts the candidates of one word into the classes; returns whether there are any. */
    private boolean classify(int word, long[] members) {
        long candidates = askable.word(word) & peer.offered.word(word);
        if (candidates == 0) {
            return false;
        }
        long byOne = 0;
        long byMore = 0;
        for (Peer other : peers) {
            if (other != peer && other.isReady()) {
                long bits = other.offered.word(word);
                byMore |= byOne & bits;
                byOne |= bits;
            }
        }
        divide(word, candidates & ~byOne, members, 0);
        divide(word, candidates & byOne & ~byMore, members, KINDS);
        divide(word, candidates & byMore, members, 2 * KINDS);
        return true;
    }

    private void divide(int word, long equallyScarce, long[] members, int order) {
        long first = claim.first().word(word);
        long next = claim.next().word(word);
        members[order] = equallyScarce & first;
        members[order + 1] = equallyScarce & next;
        members[order + 2] = equallyScarce & ~(first | next);
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
