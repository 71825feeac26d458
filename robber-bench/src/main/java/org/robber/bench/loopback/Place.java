package org.robber.bench.loopback;

/** What becomes of the bytes at a receiver. */
enum Place {
    /** Read and counted, but kept nowhere: less than any replication has to do, and the lower limit of what a copy costs. */
    DISCARD,
    /** Kept in one direct buffer of the size of the data. */
    BUFFER,
    /** Kept in a file. */
    FILE
}
