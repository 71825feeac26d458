package org.robber.core.robber;

import static org.robber.core.transfer.ProtocolBreach.unless;

import org.jspecify.annotations.Nullable;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.random.SeededRandom;
import org.robber.core.transfer.Outbox;
import org.robber.core.transfer.Peer;
import org.robber.core.transfer.PeerTable;
import org.robber.core.transfer.PieceLedger;
import org.robber.core.transfer.Requests;
import org.robber.core.transfer.Tally;
import org.robber.core.transfer.Wishes;

/**
 * Stealing work from cluster mates, as thief and as victim. The states and what leads from one to the other are drawn in
 * {@code docs/algorithm.md}.
 *
 * <p>There is no timer in it. A node whose steals all came back empty has an empty labour force; it tries again when a
 * mate announces work, which every node does that gets new work or gets old work back.
 */
final class WorkStealing {

    enum Phase {
        /** Does its own work, or waits for what cluster mates will bring. */
        WORKING,
        /** Has asked a victim and not been answered. */
        STEALING,
        /** Has new work, and asks outside for some of it before mates may rob it. */
        SETTLING
    }

    private final boolean clusterSteals;
    private final PieceLedger ledger;
    private final PeerTable peers;
    private final Wishes wishes;
    private final Requests requests;
    private final SeededRandom random;
    private final Tally tally;
    private final Outbox outbox;

    private final LabourForce labourForce = new LabourForce();
    private Phase phase = Phase.WORKING;
    private @Nullable Peer victim;
    private long askedBeforeSettling;

    /**
     * A node that isn't stealing yet.
     *
     * @param clusterSteals whether this cluster has to steal at all: it does not hold a root
     */
    WorkStealing(
            boolean clusterSteals,
            PieceLedger ledger,
            PeerTable peers,
            Wishes wishes,
            Requests requests,
            SeededRandom random,
            Tally tally,
            Outbox outbox) {
        this.clusterSteals = clusterSteals;
        this.ledger = ledger;
        this.peers = peers;
        this.wishes = wishes;
        this.requests = requests;
        this.random = random;
        this.tally = tally;
        this.outbox = outbox;
    }

    Phase phase() {
        return phase;
    }

    LabourForce labourForce() {
        return labourForce;
    }

    /** The peer can be sent messages. */
    void peerReady(Peer peer) {
        if (peer.isLocal() && phase != Phase.SETTLING && !ledger.ownWork().isEmpty()) {
            outbox.send(peer, new Message.FoundWork());
        }
    }

    /**
     * The peer is gone.
     *
     * @param workCameBack whether pieces that were pending there are own work again
     */
    void peerLost(Peer peer, boolean workCameBack) {
        labourForce.strike(peer);
        if (peer == victim) {
            victim = null;
            phase = Phase.WORKING;
        }
        if (workCameBack) {
            workCameBack();
        } else if (!canStealOutside()) {
            announceWork();
        }
    }

    /** The mate has work that may be stolen. */
    void foundWorkReceived(Peer mate) {
        unless(mate.isLocal(), "found-work from another cluster");
        labourForce.add(mate);
    }

    /** The mate has no work left and asks for some of ours. */
    void stealReceived(Peer thief, int thiefStole) {
        unless(thief.isLocal(), "steal from another cluster");
        // Robbed before it could ask for any of its new work, a node would have stolen in vain.
        int lootSize = phase == Phase.SETTLING
                ? 0
                : Loot.size(ledger.ownWork().size(), canStealOutside(), tally.piecesStolenGlobal(), thiefStole);
        PieceSet loot = ledger.giveAway(lootSize);
        outbox.send(thief, new Message.Work(loot));
        if (!loot.isEmpty()) {
            desireWorkOutside();
        }
    }

    /** The victim's answer: pieces that are own work from now on. */
    void workReceived(Peer mate, PieceSet work) {
        unless(phase == Phase.STEALING && mate == victim, "work that nobody asked for");
        unless(work.capacity() == ledger.pieceCount(), "work on other data");
        victim = null;
        phase = Phase.WORKING;
        if (work.isEmpty()) {
            labourForce.strike(mate);
            return;
        }
        tally.stealWon();
        PieceSet loot = work.copy();
        wishes.removeHeldByMates(loot, peers);
        ledger.takeOver(loot);
        phase = Phase.SETTLING;
        askedBeforeSettling = requests.askedOutside();
        if (!ledger.ownWork().isEmpty()) {
            desireWorkOutside();
            requests.fill(peers.globals());
        }
    }

    /** Pieces that were pending outside are own work again. */
    void workCameBack() {
        desireWorkOutside();
        announceWork();
    }

    /** Does what is due after any event: ends the settling once it has served its purpose, and steals if idle. */
    void proceed() {
        if (phase == Phase.SETTLING && isSettled()) {
            phase = Phase.WORKING;
            announceWork();
        }
        if (isIdle()) {
            victim = labourForce.pick(random);
            phase = Phase.STEALING;
            tally.stealSent();
            outbox.send(victim, new Message.Steal(tally.piecesStolenGlobal()));
        }
    }

    /** Whether part of the new work was asked for, or none is left to ask for, or nobody offers any for now. */
    private boolean isSettled() {
        return requests.askedOutside() > askedBeforeSettling
                || ledger.ownWork().isEmpty()
                || peers.globals().stream().allMatch(peer -> !peer.isReady() || peer.hasAnsweredDesires());
    }

    /** Own work that nobody offers yet isn't idleness; nor is waiting for pieces that are pending. */
    private boolean isIdle() {
        return phase == Phase.WORKING
                && clusterSteals
                && ledger.ownWork().isEmpty()
                && !ledger.unasked().isEmpty()
                && !labourForce.isEmpty()
                && canStealOutside();
    }

    private boolean canStealOutside() {
        return peers.globals().stream().anyMatch(peer -> !peer.isLost());
    }

    private void desireWorkOutside() {
        PieceSet work = ledger.ownWork().copy();
        for (Peer peer : peers.globals()) {
            if (peer.isReady()) {
                wishes.desire(peer, work);
            }
        }
    }

    private void announceWork() {
        if (phase != Phase.SETTLING && !ledger.ownWork().isEmpty()) {
            for (Peer mate : peers.locals()) {
                if (mate.isReady()) {
                    outbox.send(mate, new Message.FoundWork());
                }
            }
        }
    }
}
