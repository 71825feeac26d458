package org.robber.emulation.report;

/** The colours of clusters: the style sheet has one for each of the first, then they come again. */
public final class Palette {

    static final int SIZE = 8;

    private Palette() {}

    /** The classes of the style sheet for the line of a cluster. */
    public static String line(int cluster) {
        return "line s" + cluster % SIZE;
    }
}
