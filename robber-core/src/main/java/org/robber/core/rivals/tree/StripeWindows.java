package org.robber.core.rivals.tree;

import java.util.HashMap;
import java.util.Map;

/**
 * How many requests a node may have unanswered in each stripe. The published strategies push and have no such window, so it must be
 * so large that it never limits the rate.
 *
 * <p>Stripes from one parent share a connection, which serves their requests in turn. So the windows are in proportion to the
 * lengths of the stripes. With equal windows, short stripes would be complete early and long ones late.
 */
final class StripeWindows {

    /** The window of the longest stripe from a parent. Pieces of 32 KiB then allow 40 MB/s at a round trip of 100 ms. */
    static final int LARGEST = 128;

    private static final int SMALLEST = 4;

    private StripeWindows() {}

    /** By stripe, for the node of this rank. */
    static int[] of(CallRoutes routes, int rank) {
        int[] windows = new int[routes.trees().size()];
        Map<Integer, Integer> longestFrom = new HashMap<>();
        for (int i = 0; i < windows.length; i++) {
            longestFrom.merge(routes.trees().get(i).parent(rank), routes.length(i), Math::max);
        }
        for (int i = 0; i < windows.length; i++) {
            int parent = routes.trees().get(i).parent(rank);
            double share = (double) routes.length(i) / Math.max(1, longestFrom.getOrDefault(parent, 1));
            windows[i] = (int) Math.max(SMALLEST, Math.round(LARGEST * share));
        }
        return windows;
    }
}
