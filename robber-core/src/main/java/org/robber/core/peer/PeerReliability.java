package org.robber.core.peer;

/**
 * Decides whether a peer is still worth asking, by its corrupt pieces and its refusals. All strategies use it.
 *
 * <p>Corrupt pieces count by their share. A count over the whole transfer would sooner or later end every connection over a line that
 * flips a bit now and then. So each verified piece makes up for a quarter of a corrupt one. A peer that sends only corrupt pieces
 * exceeds the limit at the third, a peer of whose pieces more than a fifth are corrupt soon after, and a peer that was good for
 * long at the ninth in a row. Refusals count in a row, over one connection.
 */
public final class PeerReliability {
    private static final int CORRUPT_COST = 4;
    private static final int FIRST_CREDIT = 2 * CORRUPT_COST;
    private static final int LARGEST_CREDIT = 8 * CORRUPT_COST;

    /** More than a peer can have outstanding, which it may have to refuse for a good reason. */
    private static final int REFUSALS_LIMIT = 100;

    private int credit = FIRST_CREDIT;
    private int refusals;

    /** A piece came that matches its digest. */
    public void verified() {
        credit = Math.min(LARGEST_CREDIT, credit + 1);
        refusals = 0;
    }

    /** A piece came corrupt; returns whether the peer exceeds the limit now. */
    public boolean corrupt() {
        credit -= CORRUPT_COST;
        return credit < 0;
    }

    /** The peer refused a request; returns whether it exceeds the limit now. */
    public boolean refused() {
        return ++refusals >= REFUSALS_LIMIT;
    }

    void connectionLost() {
        refusals = 0;
    }
}
