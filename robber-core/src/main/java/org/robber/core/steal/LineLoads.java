package org.robber.core.steal;

import org.robber.core.tuning.Tuning;

/** How much the lines from other clusters to a node have to carry, and how much they carried lately. */
final class LineLoads {
    private final int mostArrivals;
    private final boolean byLength;
    private final int[] arrivals;
    private final int[] left;
    private final int[] load;
    private int allArrivals;

    /**
     * Lines on which nothing has come.
     *
     * @param mostArrivals after so many pieces, those that came before count half
     * @param byLength whether lines are compared by what they have to carry alone, since what came says nothing of their speed
     */
    LineLoads(int clusters, int mostArrivals, boolean byLength) {
        this.byLength = byLength;
        this.mostArrivals = mostArrivals;
        this.arrivals = new int[clusters];
        this.left = new int[clusters];
        this.load = new int[clusters];
    }

    /** A piece came from a cluster. */
    void came(int cluster) {
        arrivals[cluster]++;
        if (++allArrivals >= mostArrivals) {
            allArrivals = 0;
            for (int line = 0; line < arrivals.length; line++) {
                arrivals[line] /= 2;
                allArrivals += arrivals[line];
            }
        }
    }

    /** Sets how many pieces of a cluster's line could be moved to others. */
    void setLeft(int cluster, int pieces) {
        left[cluster] = pieces;
        load[cluster] = pieces;
    }

    /** Adds pieces that a line will carry in any case. */
    void addLoad(int cluster, int pieces) {
        load[cluster] += pieces;
    }

    /** How many pieces could be moved from a line. */
    int left(int cluster) {
        return left[cluster];
    }

    /**
     * How many pieces to move from one line to another, so that both come to their end at the same time if each goes on as fast as it was
     * lately. A line without load could carry anything. By length, half of what exceeds a multiple of the other line's load is moved: a line whose load
     * grows is slower than its work, as in back-pressure routing (Tassiulas and Ephremides, IEEE TAC 37(12), 1992).
     */
    int surplus(int from, int to) {
        if (load[to] == 0) {
            return left[from];
        }
        if (byLength) {
            return Math.max(0, Math.min(left[from], (load[from] - Tuning.LOAD_RATIO_FOR_RELAY * load[to]) / 2));
        }
        // A line on which nothing has come is not infinitely slow.
        long fromSpeed = arrivals[from] + 1L;
        long toSpeed = arrivals[to] + 1L;
        long kept = ((long) load[from] + load[to]) * fromSpeed / (fromSpeed + toSpeed);
        return (int) Math.max(0, Math.min(left[from], load[from] - kept));
    }

    /** Moves pieces from one line to another. */
    void move(int pieces, int from, int to) {
        left[from] -= pieces;
        load[from] -= pieces;
        load[to] += pieces;
    }
}
