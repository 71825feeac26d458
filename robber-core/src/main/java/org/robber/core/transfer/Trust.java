package org.robber.core.transfer;

/**
 * Whether it is worth while to ask a peer, by the share of its pieces that come damaged. A count over the whole transfer
 * would sooner or later end every connection over a line that flips a bit now and then, and leave nodes without peers. So
 * whole pieces win back what damaged ones cost: a peer that sends nothing but damaged pieces is dropped at the third, one of
 * whose pieces more than a fifth are damaged soon after, and one that was good for long at the ninth in a row.
 */
public final class Trust {
    private static final int COST = 4;
    private static final int FIRST = 2 * COST;
    private static final int MOST = 8 * COST;

    private int credit = FIRST;

    /** A piece came whole. */
    public void whole() {
        credit = Math.min(MOST, credit + 1);
    }

    /** A piece came damaged; returns whether that was once too often. */
    public boolean damaged() {
        credit -= COST;
        return credit < 0;
    }
}
