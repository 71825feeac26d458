package org.robber.transport.launch;

/**
 * A process of a job as its launcher counts it.
 *
 * @param rank 0..size-1
 * @param size number of processes, at least 1
 */
record RankAndSize(int rank, int size) {
    @Override
    public String toString() {
        return rank + " of " + size;
    }
}
