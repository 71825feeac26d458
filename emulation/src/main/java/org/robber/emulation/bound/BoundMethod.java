package org.robber.emulation.bound;

/** How a bound was found. */
public enum BoundMethod {
    /** Only links limit it: the least of the maximum flows from the root. */
    MAX_FLOW,
    /** Access lines, cards or LANs are in the way: a packing of arborescences, by linear programming. */
    PACKING,
    /**
     * The same with only some of the cuts, because there are too many clusters to look at all: it cannot be exceeded, and most
     * likely can be reached.
     */
    SOME_CUTS
}
