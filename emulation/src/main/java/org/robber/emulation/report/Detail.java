package org.robber.emulation.report;

/** How much a report tells of each run. */
public enum Detail {
    /** What every node and link did, over time. */
    EVERY_NODE,
    /** Figures of the run as a whole: reports of hundreds of runs stay readable. */
    FIGURES
}
