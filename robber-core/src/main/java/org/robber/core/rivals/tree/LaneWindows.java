package org.robber.core.rivals.tree;

import java.util.HashMap;
import java.util.Map;
import org.robber.core.rivals.tree.plan.Forest;

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
        Map<Integer, Integer> longestFrom = new HashMap<>();
        for (int i = 0; i < windows.length; i++) {
            longestFrom.merge(forest.stripes().get(i).parent(rank), length(firstPieces, i), Math::max);
        }
        for (int i = 0; i < windows.length; i++) {
            int parent = forest.stripes().get(i).parent(rank);
            double share = (double) length(firstPieces, i) / Math.max(1, longestFrom.getOrDefault(parent, 1));
            windows[i] = (int) Math.max(SMALLEST, Math.round(LARGEST * share));
        }
        return windows;
    }

    private static int length(int[] firstPieces, int stripe) {
        return firstPieces[stripe + 1] - firstPieces[stripe];
    }
}
