package org.robber.core.topology;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.Arrays;

/** The order of the nodes of a tree. */
public final class TreeOrder {
    /** The parent of the root. */
    public static final int NONE = -1;

    private TreeOrder() {}

    /**
     * All ranks, each after its parent. The children of a node are in a row, lowest rank first.
     *
     * @param parents the parent of each rank; {@link #NONE} for the root alone
     * @throws IllegalArgumentException if the parents are no tree
     */
    public static int[] rootFirst(int[] parents) {
        int[] order = new int[parents.length];
        int[] firstChild = new int[parents.length];
        int[] nextSibling = new int[parents.length];
        Arrays.fill(firstChild, NONE);
        int roots = 0;
        for (int rank = parents.length - 1; rank >= 0; rank--) {
            int parent = parents[rank];
            if (parent == NONE) {
                order[0] = rank;
                roots++;
            } else {
                nextSibling[rank] = firstChild[parent];
                firstChild[parent] = rank;
            }
        }
        checkArgument(roots == 1, "%s roots", roots);
        int reached = 1;
        for (int visited = 0; visited < reached; visited++) {
            for (int child = firstChild[order[visited]]; child != NONE; child = nextSibling[child]) {
                order[reached++] = child;
            }
        }
        checkArgument(reached == parents.length, "%s of %s nodes are in the tree", reached, parents.length);
        return order;
    }
}
