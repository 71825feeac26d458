package org.robber.core.peer;

/**
 * Decides by the share of corrupt pieces whether a peer is still worth asking. A count over the whole transfer would sooner or later end
 * every connection over a line that flips a bit now and then. So each verified piece makes up for a quarter of a corrupt one. A
 * peer that sends only corrupt pieces exceeds the limit at the third, a peer of whose pieces more than a fifth are corrupt soon
 * after, and a peer that was good for long at the ninth in a row.
 */
public final class CorruptionScore {
    private static final int COST = 4;
    private static final int FIRST = 2 * COST;
    private static final int MOST = 8 * COST;

    private int credit = FIRST;

    /** A piece came that matches its digest. */
    public void verified() {
        credit = Math.min(MOST, credit + 1);
    }

    /** A piece came corrupt; returns whether the peer exceeds the limit now. */
    public boolean corrupt() {
        credit -= COST;
        return credit < 0;
    }
}
