package org.robber.core.robber;

import static org.robber.core.transfer.ProtocolBreach.unless;

import java.util.ArrayList;
import java.util.List;
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
 * <p>As published, a node steals when it has no own work left. By then the work of its slow mates may be all that the
 * cluster lacks, and since slow nodes are slow in every cluster, no cluster has any of it to offer to the others. So a
 * node that levels also steals on the way, again and again after some progress, from mates that have more to do than
 * they would finish in the same time.
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

    /** A node compares its work with a mate's about so often in a transfer, if its share is large enough. */
    private static final int LEVELLINGS = 128;

    private static final int FEWEST_PIECES_PER_LEVELLING = 8;

    private boolean clusterSteals;
    private final boolean levels;
    private final int piecesPerLevelling;
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

    /** Victims that stalled before they answered: what they give up still comes here, and to nobody else. */
    private final List<Peer> lateVictims = new ArrayList<>();

    private boolean victimIsToLevel;
    private int piecesStolenAtNextLevelling;
    private long askedBeforeSettling;

    /**
     * A node that isn't stealing yet.
     *
     * @param clusterSteals whether this cluster has to steal at all: it does not hold a root
     * @param levels whether to steal on the way, too, and what levels the work; otherwise only when idle, and half
     */
    WorkStealing(
            boolean clusterSteals,
            boolean levels,
            PieceLedger ledger,
            PeerTable peers,
            Wishes wishes,
            Requests requests,
            SeededRandom random,
            Tally tally,
            Outbox outbox) {
        this.clusterSteals = clusterSteals;
        this.levels = levels;
        this.piecesPerLevelling =
                Math.max(FEWEST_PIECES_PER_LEVELLING, ledger.ownWork().size() / LEVELLINGS);
        this.piecesStolenAtNextLevelling = piecesPerLevelling;
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
        lateVictims.remove(peer);
        leave(peer, workCameBack);
    }

    /**
     * Nothing comes from the peer.
     *
     * @param workCameBack whether pieces that were pending there are own work again
     */
    void peerStalled(Peer peer, boolean workCameBack) {
        if (peer == victim) {
            lateVictims.add(peer);
        }
        leave(peer, workCameBack);
    }

    private void leave(Peer peer, boolean workCameBack) {
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
        // In the root's cluster, a mate has work only if it inherited what the root, or the way to it, took along.
        clusterSteals = true;
    }

    /** The mate asks for some of our work. */
    void stealReceived(Peer thief, Message.Steal steal) {
        unless(thief.isLocal(), "steal from another cluster");
        // Robbed before it could ask for any of its new work, a node would have stolen in vain.
        PieceSet loot = ledger.giveAway(phase == Phase.SETTLING ? 0 : lootSize(steal));
        outbox.send(thief, new Message.Work(loot));
        if (!loot.isEmpty()) {
            desireWorkOutside();
        }
    }

    private int lootSize(Message.Steal steal) {
        int workPieces = ledger.ownWork().size();
        int piecesStolen = tally.piecesStolenGlobal();
        return levels
                ? Loot.bySpeed(workPieces, canStealOutside(), piecesStolen, steal)
                : Loot.half(workPieces, canStealOutside(), piecesStolen, steal.piecesStolen());
    }

    /** The victim's answer: pieces that are own work from now on. */
    void workReceived(Peer mate, PieceSet work) {
        unless(work.capacity() == ledger.pieceCount(), "work on other data");
        if (lateVictims.remove(mate)) {
            takeOver(work);
            workCameBack();
            return;
        }
        unless(phase == Phase.STEALING && mate == victim, "work that nobody asked for");
        victim = null;
        phase = Phase.WORKING;
        if (work.isEmpty()) {
            if (!victimIsToLevel) {
                labourForce.strike(mate);
            }
            return;
        }
        tally.stealWon();
        takeOver(work);
        phase = Phase.SETTLING;
        askedBeforeSettling = requests.askedOutside();
        if (!ledger.ownWork().isEmpty()) {
            desireWorkOutside();
            requests.fill(peers.globals());
        }
    }

    private void takeOver(PieceSet work) {
        PieceSet loot = work.copy();
        wishes.removeHeldByMates(loot, peers);
        ledger.takeOver(loot);
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
        if (phase == Phase.WORKING && (isIdle() || isDueToLevel()) && mayRobSomebody()) {
            steal();
        }
    }

    private void steal() {
        Peer robbed = labourForce.pick(random);
        int workPieces = ledger.ownWork().size();
        victim = robbed;
        victimIsToLevel = workPieces > 0;
        piecesStolenAtNextLevelling = tally.piecesStolenGlobal() + piecesPerLevelling;
        phase = Phase.STEALING;
        tally.stealSent();
        outbox.send(robbed, new Message.Steal(tally.piecesStolenGlobal(), workPieces));
    }

    /** Whether part of the new work was asked for, or none is left to ask for, or nobody offers any for now. */
    private boolean isSettled() {
        return requests.askedOutside() > askedBeforeSettling
                || ledger.ownWork().isEmpty()
                || peers.globals().stream().allMatch(peer -> !peer.isReady() || peer.hasAnsweredDesires());
    }

    /** Own work that nobody offers yet isn't idleness; nor is waiting for pieces that are pending. */
    private boolean isIdle() {
        return ledger.ownWork().isEmpty() && !ledger.unasked().isEmpty();
    }

    private boolean isDueToLevel() {
        return levels && !ledger.ownWork().isEmpty() && tally.piecesStolenGlobal() >= piecesStolenAtNextLevelling;
    }

    private boolean mayRobSomebody() {
        return clusterSteals && !labourForce.isEmpty() && canStealOutside();
    }

    private boolean canStealOutside() {
        return peers.globals().stream().anyMatch(peer -> !peer.isLost() && !peer.isStalled());
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
