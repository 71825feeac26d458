package org.robber.bench.micro;

import org.robber.core.piece.PieceSet;
import org.robber.core.random.SeededRandom;

/** Piece sets as they are in the middle of a multicast: neither regular nor mere noise. */
final class PieceSets {
    private PieceSets() {}

    /**
     * The pieces that a node possesses or lacks after a while: some long runs, as stealing and taking work over leaves them, and
     * single pieces between them, as picking at random does.
     *
     * @param share of the pieces that are in the set, about; 0..1
     */
    static PieceSet halfway(int pieces, double share, SeededRandom random) {
        PieceSet set = PieceSet.empty(pieces);
        int runs = 4 + random.nextInt(12);
        for (int i = 0; i < runs; i++) {
            int length = (int) (share * pieces / 2 / runs * 2 * random.nextDouble());
            int from = random.nextInt(Math.max(1, pieces - length));
            set.addRange(from, from + length);
        }
        while (set.size() < share * pieces) {
            set.add(random.nextInt(pieces));
        }
        return set;
    }

    /** A few runs only: a share of the work as it is handed over, or what is left of it near its end. */
    static PieceSet runs(int pieces, int runs, SeededRandom random) {
        PieceSet set = PieceSet.empty(pieces);
        for (int i = 0; i < runs; i++) {
            int from = random.nextInt(pieces);
            set.addRange(from, from + 1 + random.nextInt(Math.max(1, Math.min(pieces - from, pieces / runs / 2))));
        }
        return set;
    }

    /** One piece of the set, all equally likely; -1 if the set is empty. */
    static int random(PieceSet set, SeededRandom random) {
        return set.randomCommon(set, random);
    }
}
