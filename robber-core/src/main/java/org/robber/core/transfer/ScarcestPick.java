package org.robber.core.transfer;

import java.util.List;
import org.robber.core.piece.PieceSet;
import org.robber.core.random.SeededRandom;

/**
 * Chooses what to ask of one peer by who else could give it: pieces that no other peer offers come first, then those that
 * one other offers, then the rest. So a line that alone can bring certain pieces isn't spent on pieces that another line
 * could bring as well. Among equally scarce pieces those come first that our cluster claims ({@link
 * org.robber.core.topology.ClusterClaim}); beyond that the choice is random, so that clusters that see the same offers
 * choose apart.
 *
 * <p>One pass over the words of the sets, 64 pieces at a time.
 */
final class ScarcestPick {
    /** Offered by no other peer, by one, by more: as fine as two bits of carry can tell. Each is divided by the claim. */
    private static final int CLASSES = 2 * 3;

    /** There are only pieces that may not be asked for out of turn. */
    static final int OUT_OF_TURN = -2;

    /** The class of what only this peer offers and another cluster claims. */
    private static final int SOLE_UNCLAIMED = 1;

    private final PieceSet askable;
    private final PieceSet claim;
    private final boolean outOfTurn;
    private final Peer peer;
    private final List<Peer> peers;

    private ScarcestPick(PieceSet askable, PieceSet claim, boolean outOfTurn, Peer peer, List<Peer> peers) {
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
     * @param claim what to prefer among equally scarce pieces; of the same capacity
     * @param outOfTurn whether to choose what only this peer offers and another cluster claims
     * @param peers all who may be asked for them, with or without {@code peer}
     */
    static int pick(
            PieceSet askable, PieceSet claim, boolean outOfTurn, Peer peer, List<Peer> peers, SeededRandom random) {
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
            if (sizes[order] > 0 && (outOfTurn || order != SOLE_UNCLAIMED)) {
                return nth(order, random.nextInt(sizes[order]), members);
            }
        }
        return sizes[SOLE_UNCLAIMED] > 0 ? OUT_OF_TURN : -1;
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
        long claimed = claim.word(word);
        divide(candidates & ~byOne, claimed, members, 0);
        divide(candidates & byOne & ~byMore, claimed, members, 2);
        divide(candidates & byMore, claimed, members, 4);
        return true;
    }

    private static void divide(long equallyScarce, long claimed, long[] members, int first) {
        members[first] = equallyScarce & claimed;
        members[first + 1] = equallyScarce & ~claimed;
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
