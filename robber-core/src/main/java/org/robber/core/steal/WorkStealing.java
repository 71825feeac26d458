package org.robber.core.steal;

import static org.robber.core.transfer.ProtocolBreach.unless;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.core.peer.Peer;
import org.robber.core.peer.PeerTable;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.random.SeededRandom;
import org.robber.core.transfer.Outbox;
import org.robber.core.transfer.Tally;
import org.robber.core.tuning.Tuning;

/**
 * Stealing work from cluster mates ({@link VictimSide} gives it). The states and what leads from one to the other are drawn in
 * {@code docs/explanation/algorithm.md}.
 *
 * <p>As published, a node steals when it has no own work left. By then the work of its slow mates may be all that the
 * cluster lacks, and since slow nodes are slow in every cluster, no cluster has any of it to offer to the others. So a
 * node that levels also steals on the way, again and again after some progress, from mates that have more to do than
 * they would finish in the same time.
 *
 * <p>No timer starts a steal. A node whose steals all came back empty has no candidates left. It tries again when a
 * mate announces work. Every node announces work that it got or got back.
 */
final class WorkStealing implements WorkPolicy {

    enum Phase {
        /** Does its own work, or waits for what cluster mates will bring. */
        WORKING,
        /** Has asked a victim and not been answered. */
        STEALING,
        /** Has new work, and asks outside for some of it before mates may steal it. */
        SETTLING
    }

    private final boolean levels;
    private final VictimSide victimSide;
    private final Settling settling;
    private final int piecesPerLevelling;
    private final PieceExchange exchange;
    private final Requests requests;
    private final PieceLedger ledger;
    private final PeerTable peers;
    private final SeededRandom random;
    private final Tally tally;
    private final Outbox outbox;

    /** The cluster mates that announced work and have not answered a steal with empty work since. */
    private final List<Peer> candidates = new ArrayList<>();

    private Phase phase = Phase.WORKING;
    private @Nullable Peer victim;

    /** Victims that stalled before they answered, each as often as it owes an answer: the work that they give away still comes here. */
    private final List<Peer> stalledVictims = new ArrayList<>();

    private int stealsAtLastTimer;
    private boolean victimIsToLevel;
    private int piecesStolenAtNextLevelling;

    /** Of a node that isn't stealing yet. */
    WorkStealing(NodeParts parts, PieceExchange exchange, Requests requests) {
        this.levels = parts.variant() == StealingVariant.IMPROVED;
        this.victimSide = new VictimSide(parts, exchange);
        this.settling = new Settling(parts, requests);
        this.exchange = exchange;
        this.requests = requests;
        this.ledger = parts.ledger();
        this.peers = parts.peers();
        this.random = parts.random();
        this.tally = parts.tally();
        this.outbox = parts.outbox();
        this.piecesPerLevelling =
                Math.max(Tuning.FEWEST_PIECES_PER_LEVELLING, ledger.ownWork().size() / Tuning.LEVELLINGS);
        this.piecesStolenAtNextLevelling = piecesPerLevelling;
    }

    Phase phase() {
        return phase;
    }

    List<Peer> candidates() {
        return candidates;
    }

    @Override
    public void peerReady(Peer peer) {
        if (phase != Phase.SETTLING) {
            victimSide.announceWorkTo(peer);
        }
    }

    @Override
    public void received(Peer peer, Message message) {
        switch (message.type()) {
            // A node keeps new work until it has asked for some of it: otherwise it would have stolen in vain.
            case STEAL -> victimSide.stealReceived(peer, (Message.Steal) message, phase == Phase.SETTLING);
            case WORK -> workReceived(peer, ((Message.Work) message).pieces());
            case FOUND_WORK -> foundWorkReceived(peer);
            default -> WorkPolicy.super.received(peer, message);
        }
    }

    @Override
    public boolean awaitsWorkOf(Peer peer) {
        return peer == victim || stalledVictims.contains(peer);
    }

    @Override
    public void peerLost(Peer peer, boolean ownWorkGrew) {
        stalledVictims.removeIf(each -> each == peer);
        leave(peer, ownWorkGrew);
    }

    @Override
    public void peerStalled(Peer peer, boolean ownWorkGrew) {
        if (peer == victim) {
            stalledVictims.add(peer);
        }
        leave(peer, ownWorkGrew);
    }

    private void leave(Peer peer, boolean ownWorkGrew) {
        candidates.remove(peer);
        if (peer == victim) {
            victim = null;
            phase = Phase.WORKING;
        }
        if (ownWorkGrew || !peers.canReachOtherClusters()) {
            announceWork();
        }
    }

    /** The mate has work that may be stolen. */
    private void foundWorkReceived(Peer mate) {
        unless(mate.isLocal(), "found-work from another cluster");
        if (!candidates.contains(mate)) {
            candidates.add(mate);
        }
    }

    /** The victim's answer: pieces that are own work from now on. */
    private void workReceived(Peer mate, PieceSet work) {
        unless(work.capacity() == ledger.pieceCount(), "work on other data");
        if (stalledVictims.remove(mate)) {
            exchange.takeOver(work);
            exchange.desireWorkOutside();
            announceWork();
            return;
        }
        unless(phase == Phase.STEALING && mate == victim, "work without a steal");
        victim = null;
        phase = Phase.WORKING;
        if (work.isEmpty()) {
            if (!victimIsToLevel) {
                candidates.remove(mate);
            }
            return;
        }
        tally.stealWon();
        exchange.takeOver(work);
        phase = Phase.SETTLING;
        settling.begin();
        if (!ledger.ownWork().isEmpty()) {
            exchange.desireWorkOutside();
            requests.fill(peers.globals());
        }
    }

    @Override
    public void ownWorkGrew() {
        announceWork();
    }

    /** Ends the settling once it has served its purpose, and steals if idle. */
    @Override
    public void afterEvent() {
        if (victimSide.becomesLate()) {
            announceWork();
        }
        if (phase == Phase.SETTLING && settling.isOver()) {
            phase = Phase.WORKING;
            announceWork();
        }
        if (phase == Phase.WORKING && (isIdle() || isDueToLevel()) && maySteal()) {
            steal();
        }
    }

    private void steal() {
        Peer picked = candidates.get(random.nextInt(candidates.size()));
        int workPieces = ledger.ownWork().size();
        victim = picked;
        victimIsToLevel = workPieces > 0;
        piecesStolenAtNextLevelling = tally.piecesStolenGlobal() + piecesPerLevelling;
        phase = Phase.STEALING;
        tally.stealSent();
        outbox.send(picked, new Message.Steal(tally.piecesStolenGlobal(), workPieces));
    }

    /** A victim that has not answered a steal since this timer last fired is treated as one that stalls. */
    @Override
    public void noProgressTimerFired() {
        if (victim != null && tally.stealsSent() == stealsAtLastTimer) {
            peerStalled(victim, /* ownWorkGrew= */ false);
        }
        stealsAtLastTimer = tally.stealsSent();
    }

    @Override
    public boolean isExpectingWork() {
        return phase != Phase.WORKING;
    }

    /** A node is not idle while it has own work that no peer offers yet, or while all missing pieces are pending, or if it lacks none. */
    private boolean isIdle() {
        return ledger.ownWork().isEmpty()
                && !ledger.unasked().isEmpty()
                && !ledger.possession().isComplete();
    }

    private boolean isDueToLevel() {
        return levels && !ledger.ownWork().isEmpty() && tally.piecesStolenGlobal() >= piecesStolenAtNextLevelling;
    }

    private boolean maySteal() {
        return !candidates.isEmpty() && peers.canReachOtherClusters();
    }

    private void announceWork() {
        if (phase != Phase.SETTLING) {
            victimSide.announceWork();
        }
    }
}
