package org.robber.core.transfer;

import org.robber.core.node.Action;
import org.robber.core.node.TimerKey;
import org.robber.core.tuning.Tuning;

/**
 * Says when a node waits for pieces that nobody within its reach offers: after the loss of a node, once nothing has come for a while and
 * nothing is on its way. Slowness is no reason, for what was asked for is on its way however long it takes. Whether the
 * last copy of a piece is gone, no node can tell alone ({@link org.robber.core.node.LostPieces}).
 *
 * <p>Until a loss, nothing of this happens, and no timer is set.
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

    /** A piece has come, or somebody who may have some. */
    public void progressed() {
        told = false;
    }

    /** Looks again after a while, if there is reason to; called after each event. */
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
     * @param moreExpected whether anything is on its way, or may be asked for without anybody's help
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
