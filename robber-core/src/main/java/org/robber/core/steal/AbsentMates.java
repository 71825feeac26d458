package org.robber.core.steal;

import java.util.ArrayList;
import java.util.List;
import org.robber.core.node.Action;
import org.robber.core.node.TimerKey;
import org.robber.core.peer.Peer;
import org.robber.core.transfer.Outbox;
import org.robber.core.transfer.Possession;
import org.robber.core.tuning.Tuning;

/**
 * Notices cluster mates whose connection ended and that do not come back, though they may live. One of both may have sent the other
 * away, or the way between them is cut. Until a connection to a mate ends, no timer is set. A node that lacks nothing waits for nobody.
 */
final class AbsentMates {
    private final Possession possession;
    private final Outbox outbox;

    /** Those that the timer is for. */
    private final List<Peer> awaited = new ArrayList<>();

    /** Those that were lost since it was set. */
    private final List<Peer> lostSince = new ArrayList<>();

    AbsentMates(Possession possession, Outbox outbox) {
        this.possession = possession;
        this.outbox = outbox;
    }

    /** The connection to this mate ended. */
    void lost(Peer mate) {
        lostSince.add(mate);
    }

    /** This mate is here, perhaps again. */
    void ready(Peer mate) {
        awaited.remove(mate);
        lostSince.remove(mate);
    }

    /** Sets the timer if it is needed; called after each event. */
    void afterEvent(long nowNanos) {
        if (awaited.isEmpty() && !lostSince.isEmpty() && !possession.isComplete()) {
            awaited.addAll(lostSince);
            lostSince.clear();
            outbox.add(new Action.SetTimer(TimerKey.ABSENT_MATE, nowNanos + Tuning.MATE_RETURN_NANOS));
        }
    }

    /** The time to come back is over. Returns whether a mate has not, and was neither sent away nor found dead since. */
    boolean timerFired() {
        boolean isOneAbsent = awaited.stream().anyMatch(mate -> mate.isLost() && !mate.isExpelled());
        awaited.clear();
        return isOneAbsent;
    }
}
