package org.robber.emulation.report;

/** The colours of clusters: the style sheet has one for each of the first, then they come again. */
final class Palette {

    static final int SIZE = 8;

    private Palette() {}
}
