package org.robber.core.steal;

import static org.robber.core.transfer.ProtocolBreach.unless;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.core.node.NodeSetup;
import org.robber.core.peer.Peer;
import org.robber.core.peer.PeerTable;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.random.SeededRandom;
import org.robber.core.topology.Gateways;
import org.robber.core.transfer.Outbox;
import org.robber.core.transfer.ProtocolBreach;
import org.robber.core.transfer.Tally;

/**
 * Stealing work from cluster mates, as thief and as victim. The states and what leads from one to the other are drawn in
 * {@code docs/explanation/algorithm.md}.
 *
 * <p>As published, a node steals when it has no own work left. By then the work of its slow mates may be all that the
 * cluster lacks, and since slow nodes are slow in every cluster, no cluster has any of it to offer to the others. So a
 * node that levels also steals on the way, again and again after some progress, from mates that have more to do than
 * they would finish in the same time.
 *
 * <p>There is no timer in it. A node whose steals all came back empty has an empty labour force; it tries again when a
 * mate announces work, which every node does that gets new work or gets old work back.
 */
final class WorkStealing implements WorkPolicy {

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

    /** A gateway is late when it needs so many times as long as its cluster: gateways of equal cards never are. */
    private static final long LATE = 2;

    /** Before the cluster possesses this part of the data, the rates of gateways differ by chance. */
    private static final int PIECES_PER_FIRST_LOOK = 8;

    private boolean clusterSteals;

    /** Whether this gateway is or was late, and lets all mates take over its work. */
    private boolean callsAll;

    private final boolean levels;
    private final NodeSetup setup;
    private final boolean isGateway;
    private final int piecesPerLevelling;
    private final PieceStealing pieces;
    private final PieceLedger ledger;
    private final PeerTable peers;
    private final SeededRandom random;
    private final Tally tally;
    private final Outbox outbox;

    private final LabourForce labourForce = new LabourForce();
    private Phase phase = Phase.WORKING;
    private @Nullable Peer victim;

    /** Victims that stalled before they answered: what they give up still comes here, and to nobody else. */
    private final List<Peer> lateVictims = new ArrayList<>();

    private int stealsSent;
    private int stealsBeforeQuietPeriod;
    private boolean victimIsToLevel;
    private int piecesStolenAtNextLevelling;
    private long askedBeforeSettling;

    /**
     * A node that isn't stealing yet.
     *
     * @param style whether to steal on the way, too, and what levels the work; as published only when idle, and half
     */
    WorkStealing(NodeSetup setup, RequestStyle style, PieceStealing pieces) {
        this.setup = setup;
        this.levels = style == RequestStyle.PACED;
        this.isGateway = isGateway(setup.rank());
        this.clusterSteals = !setup.topology().sameCluster(setup.rank(), setup.rootRank());
        this.pieces = pieces;
        this.ledger = pieces.ledger();
        this.peers = pieces.peers();
        this.random = pieces.random();
        this.tally = pieces.tally();
        this.outbox = pieces.outbox();
        this.piecesPerLevelling =
                Math.max(FEWEST_PIECES_PER_LEVELLING, ledger.ownWork().size() / LEVELLINGS);
        this.piecesStolenAtNextLevelling = piecesPerLevelling;
    }

    private boolean isGateway(int rank) {
        return !levels || Gateways.isGateway(rank, setup.topology(), setup.pieceCount());
    }

    /**
     * Whether the mate may take over our work. A gateway gives work to gateways only, or the cluster would soon use all its
     * connections again. It gives to all mates once it cannot do its work in time.
     */
    private boolean mayHelp(Peer mate) {
        return !isGateway || callsAll || isGateway(mate.rank()) || !canStealOutside();
    }

    /** Whether this gateway needs twice as long for its work as the cluster does for all it lacks, at the rates so far. */
    private boolean isLate() {
        long possessed = ledger.possession().pieces().size();
        long lacked = ledger.pieceCount() - possessed;
        long stolen = Math.max(FEWEST_PIECES_PER_LEVELLING, tally.piecesStolenGlobal());
        return possessed >= ledger.pieceCount() / PIECES_PER_FIRST_LOOK
                && ledger.ownWork().size() * possessed > LATE * stolen * lacked;
    }

    private void callAllIfLate() {
        if (isGateway && !callsAll && isLate()) {
            callsAll = true;
            announceWork();
        }
    }

    Phase phase() {
        return phase;
    }

    LabourForce labourForce() {
        return labourForce;
    }

    @Override
    public void peerReady(Peer peer) {
        if (peer.isLocal() && phase != Phase.SETTLING && !ledger.ownWork().isEmpty() && mayHelp(peer)) {
            outbox.send(peer, new Message.FoundWork());
        }
    }

    @Override
    public void received(Peer peer, Message message) {
        switch (message.type()) {
            case STEAL -> stealReceived(peer, (Message.Steal) message);
            case WORK -> workReceived(peer, ((Message.Work) message).pieces());
            case FOUND_WORK -> foundWorkReceived(peer);
            case PIECE, BEGIN, KEEP_ALIVE, ABORT -> throw new ProtocolBreach("message that is for drivers only");
            default -> WorkPolicy.super.received(peer, message);
        }
    }

    @Override
    public boolean awaitsWorkOf(Peer peer) {
        return peer == victim || lateVictims.contains(peer);
    }

    @Override
    public void peerLost(Peer peer, boolean workCameBack) {
        lateVictims.remove(peer);
        leave(peer, workCameBack);
    }

    @Override
    public void peerStalled(Peer peer, boolean workCameBack) {
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
        if (workCameBack || !canStealOutside()) {
            announceWork();
        }
    }

    /** The mate has work that may be stolen. */
    private void foundWorkReceived(Peer mate) {
        unless(mate.isLocal(), "found-work from another cluster");
        labourForce.add(mate);
        // In the root's cluster, a mate has work only if it inherited what the root, or the way to it, took along.
        clusterSteals = true;
    }

    /** The mate asks for some of our work. */
    private void stealReceived(Peer thief, Message.Steal steal) {
        unless(thief.isLocal(), "steal from another cluster");
        // Robbed before it could ask for any of its new work, a node would have stolen in vain.
        PieceSet loot = ledger.giveAway(phase == Phase.SETTLING || !mayHelp(thief) ? 0 : lootSize(steal));
        outbox.send(thief, new Message.Work(loot));
        if (!loot.isEmpty()) {
            pieces.desireWorkOutside();
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
    private void workReceived(Peer mate, PieceSet work) {
        unless(work.capacity() == ledger.pieceCount(), "work on other data");
        if (lateVictims.remove(mate)) {
            pieces.takeOver(work);
            pieces.desireWorkOutside();
            announceWork();
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
        pieces.takeOver(work);
        phase = Phase.SETTLING;
        askedBeforeSettling = pieces.askedOutside();
        if (!ledger.ownWork().isEmpty()) {
            pieces.desireWorkOutside();
            pieces.askOutside();
        }
    }

    @Override
    public void workCameBack() {
        announceWork();
    }

    /** Ends the settling once it has served its purpose, and steals if idle. */
    @Override
    public void proceed() {
        callAllIfLate();
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
        stealsSent++;
        outbox.send(robbed, new Message.Steal(tally.piecesStolenGlobal(), workPieces));
    }

    /** Whether part of the new work was requested, or none is left to request, or nobody offers any for now. */
    private boolean isSettled() {
        return pieces.askedOutside() > askedBeforeSettling || ledger.ownWork().isEmpty() || haveEnoughPeersAnswered();
    }

    /**
     * Whether all peers outside answered the last desire. Once one of them did, a peer that owes pieces is not waited for: its
     * answer comes behind these pieces, and its line has enough to do.
     */
    private boolean haveEnoughPeersAnswered() {
        boolean hasOneAnswered = false;
        boolean isOneBusy = false;
        for (Peer peer : peers.globals()) {
            if (peer.mayBeAsked()) {
                boolean hasAnswered = peer.offers().hasAnsweredDesires();
                if (!hasAnswered && peer.requests().size() == 0) {
                    return false;
                }
                hasOneAnswered |= hasAnswered;
                isOneBusy |= !hasAnswered;
            }
        }
        return hasOneAnswered || !isOneBusy;
    }

    /** A victim that has not answered a steal since the last quiet period is treated as one that stalls. */
    @Override
    public void quietPeriodEnded() {
        if (victim != null && stealsSent == stealsBeforeQuietPeriod) {
            peerStalled(victim, /* workCameBack= */ false);
        }
        stealsBeforeQuietPeriod = stealsSent;
    }

    @Override
    public boolean isExpectingWork() {
        return phase != Phase.WORKING;
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

    private void announceWork() {
        if (phase != Phase.SETTLING && !ledger.ownWork().isEmpty()) {
            for (Peer mate : peers.locals()) {
                if (mate.isReady() && mayHelp(mate)) {
                    outbox.send(mate, new Message.FoundWork());
                }
            }
        }
    }
}
