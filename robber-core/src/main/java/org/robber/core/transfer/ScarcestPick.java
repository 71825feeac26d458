package org.robber.core.transfer;

import java.util.List;
import org.robber.core.piece.PieceSet;
import org.robber.core.random.SeededRandom;

/**
 * Chooses what to ask of one peer by who else could give it: pieces that no other peer offers come first, then those that
 * one other offers, then the rest. So a line that alone can bring certain pieces isn't spent on pieces that another line
 * could bring as well. Within a class the choice is random, so that clusters that see the same offers choose apart.
 *
 * <p>One pass over the words of the sets, 64 pieces at a time.
 */
final class ScarcestPick {
    /** Offered by no other peer, by one, by more: as fine as two bits of carry can tell. */
    private static final int CLASSES = 3;

    private final PieceSet askable;
    private final Peer peer;
    private final List<Peer> peers;

    private ScarcestPick(PieceSet askable, Peer peer, List<Peer> peers) {
        this.askable = askable;
        this.peer = peer;
        this.peers = peers;
    }

    /**
     * One of the pieces that are askable and that the peer offers, or -1 if there is none.
     *
     * @param peers all who may be asked for them, with or without {@code peer}
     */
    static int pick(PieceSet askable, Peer peer, List<Peer> peers, SeededRandom random) {
        return new ScarcestPick(askable, peer, peers).pick(random);
    }

    private int pick(SeededRandom random) {
        int[] sizes = new int[CLASSES];
        long[] members = new long[CLASSES];
        for (int word = 0; word < askable.wordCount(); word++) {
            if (classify(word, members)) {
                for (int scarcity = 0; scarcity < CLASSES; scarcity++) {
                    sizes[scarcity] += Long.bitCount(members[scarcity]);
                }
            }
        }
        for (int scarcity = 0; scarcity < CLASSES; scarcity++) {
            if (sizes[scarcity] > 0) {
                return nth(scarcity, random.nextInt(sizes[scarcity]), members);
            }
        }
        return -1;
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
        members[0] = candidates & ~byOne;
        members[1] = candidates & byOne & ~byMore;
        members[2] = candidates & byMore;
        return true;
    }

    private int nth(int scarcity, int n, long[] members) {
        int before = 0;
        for (int word = 0; ; word++) {
            if (classify(word, members)) {
                long bits = members[scarcity];
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
