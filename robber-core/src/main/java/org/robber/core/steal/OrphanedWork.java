package org.robber.core.steal;

import java.util.Arrays;
import org.robber.core.node.Action;
import org.robber.core.node.NodeSetup;
import org.robber.core.node.TimerKey;
import org.robber.core.peer.Peer;
import org.robber.core.peer.PeerTable;
import org.robber.core.piece.PieceSet;
import org.robber.core.topology.Overlay;
import org.robber.core.transfer.Outbox;
import org.robber.core.tuning.Tuning;

/**
 * Returns the work of a dead cluster mate to the cluster. No node knows that work, because work moves from mate to mate. A piece that
 * the dead mate had received but not passed on has to be fetched again, too. The orphaned pieces are those that no mate offers once
 * the living mates have done their own work. The dead mate's peers in its cluster are its successors. The first of them waits for a quiet
 * period, in which nothing new is offered and no mate finds work. Then it takes over all pieces that no mate offers; its mates steal their part. Each
 * other successor waits one quiet period more for each one before it that lives and lacks pieces, since that one may stall. No
 * successor takes over a piece twice for the same loss, so this ends even if the last copy of a piece is lost.
 *
 * <p>If living mates receive nothing for a quiet period, their work is taken over as well, and may enter the cluster twice.
 *
 * <p>A connection that breaks leaves no orphaned work: the mate goes on over its other connections. There are two exceptions. Work that a
 * victim was sending when the connection broke may be lost. The work of a mate that was sent away, or is {@linkplain AbsentMates absent}, may never
 * come here. Each node that this happens to is a successor. Until then, no timer is set and no
 * piece is looked at. From then on, the pieces are looked at {@value Tuning#LOOKS_PER_QUIET_PERIOD} times each quiet period.
 */
final class OrphanedWork {
    private final int rank;
    private final Overlay overlay;
    private final PieceLedger ledger;
    private final PeerTable peers;
    private final Outbox outbox;

    /** Taken over since the last loss. */
    private final PieceSet takenOver;

    private boolean isSuccessor;

    /** The ranks of the successors that take over before this one. */
    private int[] successorsBefore = {};

    /** Looks in a row that found it quiet, until now. */
    private int quietLooks;

    /** Whether a mate found work since the last look. It may be a successor that has taken over, so its pieces are not offered yet. */
    private boolean mateFoundWork;

    private boolean waiting;

    /** Whether the last look left nothing to take over, so that the next waits for another event. */
    private boolean foundNothing;

    private int unofferedBefore;

    /** A node that has lost no mate. */
    OrphanedWork(NodeParts parts) {
        NodeSetup setup = parts.setup();
        this.rank = setup.rank();
        this.overlay = setup.overlay();
        this.ledger = parts.ledger();
        this.peers = parts.peers();
        this.outbox = parts.outbox();
        this.takenOver = PieceSet.empty(setup.pieceCount());
        // A node that joins late is given no work: its work is what no other node brings.
        this.isSuccessor = setup.late();
    }

    /** The node of this peer is dead. */
    void nodeLost(Peer peer) {
        if (peer.isLocal()) {
            int[] ranks = overlay.localPeers(peer.rank());
            int place = Arrays.binarySearch(ranks, rank);
            // A peer only since the overlay was repaired: an additional successor.
            successorsBefore = Arrays.copyOf(ranks, place >= 0 ? place : -place - 1);
            beginAnew();
        }
    }

    /** A mate lives as far as is known, but work that it gave away or keeps may never come here. */
    void workMayBeLost() {
        beginAnew();
    }

    private void beginAnew() {
        isSuccessor = true;
        takenOver.clear();
        quietLooks = 0;
        mateFoundWork = false;
        waiting = false;
    }

    /** A mate has work again. */
    void mateFoundWork() {
        mateFoundWork = true;
    }

    /** Sets the time of the next look if a mate is dead and pieces are lacked; called after each event. */
    void afterEvent(long nowNanos) {
        if (foundNothing) {
            foundNothing = false;
        } else if (isSuccessor && !waiting && !ledger.possession().isComplete()) {
            waiting = true;
            unofferedBefore = unoffered().size();
            outbox.add(new Action.SetTimer(
                    TimerKey.ORPHANED_WORK, nowNanos + quietNanos() / Tuning.LOOKS_PER_QUIET_PERIOD));
        }
    }

    /** It is time to look; returns whether there is new own work. */
    boolean timerFired() {
        if (!waiting) {
            return false;
        }
        waiting = false;
        boolean isQuiet = !mateFoundWork;
        mateFoundWork = false;
        PieceSet unoffered = unoffered();
        PieceSet unowned = unowned(unoffered);
        if (!isQuiet || unowned.isEmpty() || unoffered.size() < unofferedBefore) {
            quietLooks = 0;
            foundNothing = unowned.isEmpty();
            return false;
        }
        quietLooks++;
        if (quietLooks < Tuning.LOOKS_PER_QUIET_PERIOD * (1 + lackingBefore())) {
            return false;
        }
        takenOver.addAll(unowned);
        ledger.takeOver(unowned);
        foundNothing = true;
        return true;
    }

    /** How many of them live and lack pieces, as far as is known. */
    private long lackingBefore() {
        return Arrays.stream(successorsBefore)
                .mapToObj(peers::find)
                .filter(peer -> peer == null || !(peer.isLost() || peer.end().isPeerDone()))
                .count();
    }

    /** As long as an answer from another cluster takes. All that a mate had requested before it died would have come by then. */
    private long quietNanos() {
        long answerNanos = 0;
        for (Peer peer : peers.globals()) {
            answerNanos = Math.max(answerNanos, peer.requests().answerNanos());
        }
        return answerNanos == 0
                ? Tuning.UNMEASURED_ORPHAN_WAIT_NANOS
                : Math.max(Tuning.SHORTEST_ORPHAN_WAIT_NANOS, Math.min(Tuning.LONGEST_ORPHAN_WAIT_NANOS, answerNanos));
    }

    /** What we lack, and no mate is known to possess. */
    private PieceSet unoffered() {
        PieceSet pieces = ledger.possession().lacked();
        for (Peer mate : peers.locals()) {
            if (!mate.isLost()) {
                mate.offers().removeFrom(pieces);
            }
        }
        return pieces;
    }

    /** The unoffered pieces that may be in the work of no node. */
    private PieceSet unowned(PieceSet unoffered) {
        PieceSet pieces = unoffered.and(ledger.unasked());
        pieces.removeAll(ledger.ownWork());
        pieces.removeAll(takenOver);
        return pieces;
    }
}
