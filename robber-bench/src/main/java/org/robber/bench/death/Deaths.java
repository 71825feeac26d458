package org.robber.bench.death;

/** Multicasts that are disturbed by nothing, or by the death of one node. */
interface Deaths extends AutoCloseable {

    /** The rank of the root, which does not die. */
    int root();

    /**
     * Seconds until the last node has everything.
     *
     * @throws IllegalStateException if that never happens
     */
    double undisturbed(long seed) throws InterruptedException;

    /**
     * Seconds until the last of the others has everything; not a number if the node was through before it could die.
     *
     * @param rank the node that dies
     * @param share when, as a share of how long it would have taken undisturbed; from 0 up to, not including, 1
     * @param undisturbedSeconds how long that is
     * @throws IllegalStateException if that never happens
     */
    double withDeath(long seed, int rank, double share, double undisturbedSeconds) throws InterruptedException;

    @Override
    void close();
}
