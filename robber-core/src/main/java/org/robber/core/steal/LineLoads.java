package org.robber.core.steal;

/**
 * How many pieces the lines from other clusters to a node have to carry. The load of a slow line stays high while that of a fast line shrinks. So a line with
 * less load has something to spare, as in back-pressure routing (Tassiulas and Ephremides, IEEE TAC 37(12), 1992).
 */
final class LineLoads {
    private final int ratio;
    private final int[] left;
    private final int[] load;

    /**
     * Lines without load.
     *
     * @param ratio a line takes pieces of lines with more than so many times its load; at least 1
     */
    LineLoads(int clusters, int ratio) {
        this.ratio = ratio;
        this.left = new int[clusters];
        this.load = new int[clusters];
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

    /** How many pieces to move from one line to another: half of what exceeds the multiple of the other's load. A line without load could carry anything. */
    int surplus(int from, int to) {
        int surplus = load[to] == 0 ? left[from] : (load[from] - ratio * load[to]) / 2;
        return Math.max(0, Math.min(left[from], surplus));
    }

    /** Moves pieces from one line to another. */
    void move(int pieces, int from, int to) {
        left[from] -= pieces;
        load[from] -= pieces;
        load[to] += pieces;
    }
}
