package org.robber.core.steal;

import org.robber.core.transfer.Possession;
import org.robber.core.transfer.Tally;
import org.robber.core.tuning.Tuning;

/**
 * Compares two times at the rates so far. One is what this node needs for pieces from other clusters, the other what its cluster needs for all that it lacks.
 * Time itself cancels out, so no clock is needed.
 */
final class Pace {
    private final Possession possession;
    private final Tally tally;

    /** Pieces that this node had at the start tell nothing of rates. */
    private final int possessedAtStart;

    /** Of a node that has not begun. */
    Pace(Possession possession, Tally tally) {
        this.possession = possession;
        this.tally = tally;
        this.possessedAtStart = possession.pieces().size();
    }

    /**
     * Whether the node needs {@link Tuning#LATE_FACTOR} times as long for so many pieces as the cluster for all. Never before the cluster possesses a part of
     * the data.
     */
    boolean isLateWith(int pieces) {
        long lacked = possession.lackedCount();
        long come = possession.pieces().size() - (long) possessedAtStart;
        long stolen = Math.max(Tuning.FEWEST_PIECES_PER_LEVELLING, tally.piecesStolenGlobal());
        return come >= (come + lacked) / Tuning.PIECES_PER_FIRST_LOOK
                && pieces * come > Tuning.LATE_FACTOR * stolen * lacked;
    }
}
