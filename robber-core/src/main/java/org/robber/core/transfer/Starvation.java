package org.robber.core.transfer;

import java.util.function.Supplier;
import org.robber.core.node.Action;
import org.robber.core.node.TimerKey;
import org.robber.core.piece.PieceSet;

/**
 * Says when a node waits for pieces that nobody within its reach offers: after the loss of a node, once nothing has come for a while and
 * nothing is on its way. Slowness is no reason, for what was asked for is on its way however long it takes. Whether the
 * last copy of a piece is gone, no node can tell alone ({@link org.robber.core.node.LastCopies}).
 *
 * <p>Until a loss, nothing of this happens, and no timer is set.
 */
public final class Starvation {
    /** Longer than news takes through a cluster, and than an heir waits before it takes over work. */
    static final long QUIET_NANOS = 2_000_000_000L;

    private final PieceSet possession;
    private final Supplier<PieceSet> lacked;
    private final Outbox outbox;
    private boolean lossHeard;
    private boolean waiting;
    private boolean told;
    private int possessedBefore;

    /**
     * A node that has heard of no loss.
     *
     * @param possession what it has; a live view
     * @param lacked what it lacks and may still come
     */
    public Starvation(PieceSet possession, Supplier<PieceSet> lacked, Outbox outbox) {
        this.possession = possession;
        this.lacked = lacked;
        this.outbox = outbox;
    }

    /** A node is gone for good: there may be less left to get. */
    public void lossHeard() {
        lossHeard = true;
        told = false;
    }

    /** A piece has come, or somebody who may have some. */
    public void hopeCame() {
        told = false;
    }

    /** Looks again after a while, if there is reason to; called last at each event. */
    public void proceed(long nowNanos) {
        if (lossHeard && !told && !waiting && !lacked.get().isEmpty()) {
            waiting = true;
            possessedBefore = possession.size();
            outbox.add(new Action.SetTimer(TimerKey.STARVE, nowNanos + QUIET_NANOS));
        }
    }

    /**
     * The while is over.
     *
     * @param hopes whether anything is on its way, or may be asked for without anybody's help
     */
    public void timerFired(boolean hopes) {
        if (!waiting) {
            return;
        }
        waiting = false;
        PieceSet pieces = lacked.get();
        if (!hopes && possession.size() == possessedBefore && !pieces.isEmpty()) {
            told = true;
            outbox.add(new Action.Starved(pieces));
        }
    }
}
