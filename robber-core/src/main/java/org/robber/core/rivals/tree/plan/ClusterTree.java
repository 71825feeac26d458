package org.robber.core.rivals.tree.plan;

/**
 * A tree of clusters.
 *
 * @param parents the parent of each cluster; {@link Stripe#NONE} for the root's
 * @param rate what flows along it, in bytes per second
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and never changed once it is here
public record ClusterTree(int[] parents, double rate) {

    ClusterTree withRate(double newRate) {
        return new ClusterTree(parents, newRate);
    }

    /** Number of children of a cluster. */
    int outdegree(int cluster) {
        int children = 0;
        for (int parent : parents) {
            children += parent == cluster ? 1 : 0;
        }
        return children;
    }
}
