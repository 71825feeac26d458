package org.robber.core.steal;

/** How much the lines from other clusters to a node have to carry, and how much they carried lately. */
final class LineLoads {
    private final int mostArrivals;
    private final boolean onlyToIdle;
    private final int[] arrivals;
    private final int[] left;
    private final int[] load;
    private int allArrivals;

    /**
     * Lines on which nothing has come.
     *
     * @param mostArrivals after so many pieces, those that came before count half
     * @param onlyToIdle whether pieces are moved only to lines that have nothing to carry
     */
    LineLoads(int clusters, int mostArrivals, boolean onlyToIdle) {
        this.onlyToIdle = onlyToIdle;
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
     * lately. A line without load could carry anything.
     */
    int surplus(int from, int to) {
        if (load[to] == 0) {
            return left[from];
        }
        if (onlyToIdle) {
            return 0;
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
