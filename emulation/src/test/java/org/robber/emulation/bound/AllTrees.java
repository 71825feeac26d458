package org.robber.emulation.bound;

import java.util.ArrayList;
import java.util.List;

/** Every arborescence of a small complete graph, one by one. */
final class AllTrees {

    private AllTrees() {}

    /** The trees over so many nodes, rooted at node 0: for each node its parent; {@code n^(n-2)} of them. */
    static List<int[]> parents(int nodes) {
        List<int[]> trees = new ArrayList<>();
        int[] parent = new int[nodes];
        parent[0] = -1;
        extend(parent, 1, trees);
        return trees;
    }

    private static void extend(int[] parent, int node, List<int[]> trees) {
        if (node == parent.length) {
            if (reachesRoot(parent)) {
                trees.add(parent.clone());
            }
            return;
        }
        for (int other = 0; other < parent.length; other++) {
            if (other != node) {
                parent[node] = other;
                extend(parent, node + 1, trees);
            }
        }
    }

    private static boolean reachesRoot(int[] parent) {
        for (int start = 1; start < parent.length; start++) {
            int node = start;
            for (int steps = 0; node != 0 && steps < parent.length; steps++) {
                node = parent[node];
            }
            if (node != 0) {
                return false;
            }
        }
        return true;
    }
}
