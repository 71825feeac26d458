package org.robber.core.peer;

import org.robber.core.tuning.Tuning;

/**
 * Decides whether a peer is still worth asking, by its corrupt pieces and its refusals. All strategies use it.
 *
 * <p>Corrupt pieces count by their share. A count over the whole transfer would sooner or later end every connection over a line that
 * flips a bit now and then. So each verified piece makes up for a quarter of a corrupt one. A peer that sends only corrupt pieces
 * exceeds the limit at the third, a peer of whose pieces more than a fifth are corrupt soon after, and a peer that was good for
 * long at the ninth in a row. Refusals count in a row, over one connection.
 */
public final class PeerReliability {
    private int credit = Tuning.FORGIVEN_AT_FIRST * Tuning.VERIFIED_PER_CORRUPT;
    private int refusals;

    /** A piece came that matches its digest. */
    public void verified() {
        credit = Math.min(Tuning.FORGIVEN_AT_MOST * Tuning.VERIFIED_PER_CORRUPT, credit + 1);
        refusals = 0;
    }

    /** A piece came corrupt; returns whether the peer exceeds the limit now. */
    public boolean corrupt() {
        credit -= Tuning.VERIFIED_PER_CORRUPT;
        return credit < 0;
    }

    /** The peer refused a request; returns whether it exceeds the limit now. */
    public boolean refused() {
        return ++refusals >= Tuning.MOST_REFUSALS;
    }

    void connectionLost() {
        refusals = 0;
    }
}
