package org.robber.transport.launch;

/** One of the processes that a launcher started: this rank, of so many. */
record Member(int rank, int size) {
    @Override
    public String toString() {
        return rank + " of " + size;
    }
}
