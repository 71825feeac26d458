package org.robber.core.tree;

/**
 * How many pieces a node asks for at a time on each of its lanes. A pushing sender has no such window, so it must never be what
 * limits the rate.
 *
 * <p>The lanes from one parent share a connection, and what is asked for on it comes in equal parts. So windows are in
 * proportion to what the lanes carry: with equal ones, the small lanes would run ahead of what the clusters below can pass
 * on, and the large ones would come late.
 */
final class LaneWindows {

    /** Of the largest lane from a parent: with the smallest automatic pieces of 32 KiB 40 MB/s at a round trip of 100 ms. */
    static final int LARGEST = 128;

    private static final int SMALLEST = 4;

    private LaneWindows() {}

    /** By stripe, for the node of this rank. */
    static int[] of(Forest forest, int rank, int[] firstPieces) {
        int[] windows = new int[forest.stripes().size()];
        for (int i = 0; i < windows.length; i++) {
            int parent = forest.stripes().get(i).parent(rank);
            int longest = 1;
            for (int j = 0; j < windows.length; j++) {
                if (forest.stripes().get(j).parent(rank) == parent) {
                    longest = Math.max(longest, firstPieces[j + 1] - firstPieces[j]);
                }
            }
            double share = (double) (firstPieces[i + 1] - firstPieces[i]) / longest;
            windows[i] = (int) Math.max(SMALLEST, Math.round(LARGEST * share));
        }
        return windows;
    }
}
