package org.robber.core.transfer;

import java.util.Arrays;
import org.robber.core.node.Action;
import org.robber.core.node.NodeSetup;
import org.robber.core.node.TimerKey;
import org.robber.core.piece.PieceSet;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.WorkDivision;

/**
 * Returns the work of a lost cluster mate to the cluster. Nobody knows what it was: work moves from mate to mate, and a
 * piece that the lost mate had got and not yet passed on has to be stolen again. But when the mates still at work have
 * done theirs, what nobody offers is what it took with it. So its heirs, who are its peers in the cluster, wait until
 * nothing new has been on offer for a while, and then take over what is left: each its own share first, and the shares of the
 * others round by round, in case these are gone, too. No heir takes a piece over twice for the same loss, so it ends even
 * if the last copy of a piece is lost.
 *
 * <p>If mates at work get nothing for that long, pieces of theirs are taken over as well, and may enter the cluster twice.
 *
 * <p>Until a mate is lost, nothing of this happens, and no timer is set.
 */
public final class Inheritance {
    /** How long nothing new may be on offer at most: as long as losses take to be noticed, and longer than most lines take for a piece. */
    static final long LONGEST_QUIET_NANOS = 1_000_000_000L;

    /** For news to come through the cluster. */
    static final long SHORTEST_QUIET_NANOS = 250_000_000L;

    private final int rank;
    private final Overlay overlay;
    private final PieceLedger ledger;
    private final PeerTable peers;
    private final Outbox outbox;

    /** Taken over since the last loss. */
    private final PieceSet inherited;

    private int heirs;
    private int nextShare;
    private boolean waiting;
    private int unofferedBefore;

    /** A node that has lost nobody. */
    public Inheritance(NodeSetup setup, PieceLedger ledger, PeerTable peers, Outbox outbox) {
        this.rank = setup.rank();
        this.overlay = setup.overlay();
        this.ledger = ledger;
        this.peers = peers;
        this.outbox = outbox;
        this.inherited = PieceSet.empty(setup.pieceCount());
        // Who comes late has no share: what nobody else brings is its work.
        this.heirs = setup.late() ? 1 : 0;
    }

    /** The peer is gone. */
    public void peerLost(Peer peer) {
        if (peer.isLocal()) {
            int[] ranks = overlay.localPeers(peer.rank());
            int place = Arrays.binarySearch(ranks, rank);
            // A peer only since the overlay was repaired: no heir by plan, and one more for safety.
            heirs = place >= 0 ? ranks.length : ranks.length + 1;
            nextShare = place >= 0 ? place : -place - 1;
            inherited.clear();
            waiting = false;
        }
    }

    /** Whether something is left that may have to be taken over. */
    public boolean isPending() {
        return heirs > 0 && !ownerless(unoffered()).isEmpty();
    }

    /** Waits for a while if something might have to be taken over; called last at each event. */
    public void proceed(long nowNanos) {
        if (heirs > 0 && !waiting && !ledger.possession().isComplete()) {
            PieceSet unoffered = unoffered();
            if (!ownerless(unoffered).isEmpty()) {
                waiting = true;
                unofferedBefore = unoffered.size();
                outbox.add(new Action.SetTimer(TimerKey.INHERIT, nowNanos + quietNanos()));
            }
        }
    }

    /** The wait is over; returns whether there is new own work. */
    public boolean timerFired() {
        if (!waiting) {
            return false;
        }
        waiting = false;
        PieceSet unoffered = unoffered();
        if (unoffered.size() < unofferedBefore) {
            return false;
        }
        PieceSet share = ownerless(unoffered).and(WorkDivision.share(nextShare, heirs, ledger.pieceCount()));
        nextShare = (nextShare + 1) % heirs;
        inherited.addAll(share);
        ledger.takeOver(share);
        return !share.isEmpty();
    }

    /** As long as an answer takes: what a mate has asked for when it was last heard of has come by then, if its lines are like ours. */
    private long quietNanos() {
        long answerNanos = 0;
        for (Peer peer : peers.globals()) {
            answerNanos = Math.max(answerNanos, peer.window.answerNanos());
        }
        return answerNanos == 0
                ? LONGEST_QUIET_NANOS
                : Math.max(SHORTEST_QUIET_NANOS, Math.min(LONGEST_QUIET_NANOS, answerNanos));
    }

    /** What we lack, and no mate is known to possess. */
    private PieceSet unoffered() {
        PieceSet pieces = ledger.possession().lacked();
        for (Peer mate : peers.locals()) {
            if (!mate.isLost()) {
                pieces.removeAll(mate.offered);
                mate.withheld.forEach(pieces::remove);
            }
        }
        return pieces;
    }

    /** Those of the unoffered pieces that may be nobody's work. */
    private PieceSet ownerless(PieceSet unoffered) {
        PieceSet pieces = unoffered.and(ledger.unasked());
        pieces.removeAll(ledger.ownWork());
        pieces.removeAll(inherited);
        return pieces;
    }
}
