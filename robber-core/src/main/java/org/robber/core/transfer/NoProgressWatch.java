package org.robber.core.transfer;

import org.robber.core.node.Action;
import org.robber.core.node.TimerKey;
import org.robber.core.tuning.Tuning;

/**
 * Reports what a node lacks when, after the loss of another node, nothing has come for a while and nothing is on its way. A requested piece counts as on its way, however slow it is. One node alone cannot tell whether the last copy of a piece
 * is lost ({@link org.robber.core.node.LostPieces}).
 *
 * <p>Before the first loss, no timer is set.
 */
public final class NoProgressWatch {
    private final Possession possession;
    private final Outbox outbox;
    private boolean lossHeard;
    private boolean waiting;
    private boolean told;
    private int possessedBefore;

    /** A node that has heard of no loss. */
    public NoProgressWatch(Possession possession, Outbox outbox) {
        this.possession = possession;
        this.outbox = outbox;
    }

    /** A node is gone for good: there may be less left to get. */
    public void lossHeard() {
        lossHeard = true;
        told = false;
    }

    /** A piece has come, or a peer that may have pieces. */
    public void progressed() {
        told = false;
    }

    /** Sets the timer if it is needed; called after each event. */
    public void afterEvent(long nowNanos) {
        if (lossHeard && !told && !waiting && !possession.isComplete()) {
            waiting = true;
            possessedBefore = possession.pieces().size();
            outbox.add(new Action.SetTimer(TimerKey.NO_PROGRESS, nowNanos + Tuning.NO_PROGRESS_NANOS));
        }
    }

    /**
     * The quiet period has ended.
     *
     * @param moreExpected whether a piece or work is on its way
     */
    public void timerFired(boolean moreExpected) {
        if (!waiting) {
            return;
        }
        waiting = false;
        if (!moreExpected && possession.pieces().size() == possessedBefore && !possession.isComplete()) {
            told = true;
            outbox.add(new Action.Starved(possession.lacked()));
        }
    }
}
