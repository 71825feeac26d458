package org.robber.bench.loopback;

/** The place where a receiver puts the bytes. */
enum Place {
    /** Read and counted, but kept nowhere: less than any replication has to do, and the lower limit of what a copy costs. */
    DISCARD,
    /** Kept in one direct buffer of the size of the data. */
    BUFFER,
    /** Kept in a file. */
    FILE
}
