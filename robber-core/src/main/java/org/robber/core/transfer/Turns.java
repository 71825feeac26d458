package org.robber.core.transfer;

import org.robber.core.node.Action;
import org.robber.core.node.NodeSetup;
import org.robber.core.node.TimerKey;
import org.robber.core.random.SeededRandom;
import org.robber.core.topology.ClusterClaim;

/**
 * Who asks first for what only one peer offers. What its own cluster claims ({@link ClusterClaim}), a node asks for at once; of what other
 * clusters claim, it has no more than a few pieces outstanding at that peer. So the lines of the root's cluster, which alone
 * has anything at the start, bring each piece out once, however many clusters there are and however few pieces, and the
 * clusters exchange the rest. As soon as a second peer offers a piece, it is free.
 *
 * <p>A claim is no promise: its cluster may have lost its lines, and so may the mates that may ask out of turn. A node that
 * holds back, has nothing outstanding, and gets nothing new for a while, may ask for one piece more from then on, by a
 * chance that lets about one node of all begin at a time: they all wait where many clusters share a line.
 */
public final class Turns {
    /** Many pieces that share a line arrive together and late: with 30 clusters of 100 nodes, 2 s were too short. */
    static final long QUIET_NANOS = 5_000_000_000L;

    private final ClusterClaim claim;
    private final PieceLedger ledger;
    private final PeerTable peers;
    private final int nodes;
    private final SeededRandom random;
    private final Outbox outbox;
    private int limit;
    private boolean holdsBack;
    private boolean waiting;
    private int possessedBefore;

    private Turns(NodeSetup setup, int limit, PieceLedger ledger, PeerTable peers, SeededRandom random, Outbox outbox) {
        this.claim = ClusterClaim.of(setup.rank(), setup.rootRank(), setup.topology(), setup.pieceCount());
        this.nodes = setup.topology().size();
        this.random = random;
        this.limit = limit;
        this.ledger = ledger;
        this.peers = peers;
        this.outbox = outbox;
    }

    /** The turns of a node whose cluster steals work: nodes that may ask for little out of turn give their work to those that may. */
    public static Turns limited(
            NodeSetup setup, PieceLedger ledger, PeerTable peers, SeededRandom random, Outbox outbox) {
        return new Turns(
                setup,
                ClusterClaim.outOfTurnLimit(setup.rank(), setup.rootRank(), setup.topology(), setup.pieceCount()),
                ledger,
                peers,
                random,
                outbox);
    }

    /** Claims without limits: what is claimed comes first, all else next. */
    public static Turns unlimited(
            NodeSetup setup, PieceLedger ledger, PeerTable peers, SeededRandom random, Outbox outbox) {
        return new Turns(setup, Integer.MAX_VALUE, ledger, peers, random, outbox);
    }

    /** What this cluster steals first, next, and third. */
    ClusterClaim claim() {
        return claim;
    }

    /** Whether this peer may be asked for nothing more out of turn. */
    boolean isUsedUp(Peer peer) {
        if (peer.window.size() < limit) {
            return false;
        }
        if (limit == 0) {
            return true;
        }
        int outOfTurn = 0;
        for (int piece : peer.window.pieces()) {
            if (isOutOfTurn(peer, piece)) {
                outOfTurn++;
            }
        }
        return outOfTurn >= limit;
    }

    /** Whether this piece is claimed by another cluster, and offered by this peer alone. */
    boolean isOutOfTurn(Peer peer, int piece) {
        if (claim.first().contains(piece)) {
            return false;
        }
        for (Peer other : peers.globals()) {
            if (other != peer && other.isReady() && other.offered.contains(piece)) {
                return false;
            }
        }
        return true;
    }

    /** Notes that something on offer was not asked for. */
    void holdBack() {
        holdsBack = true;
    }

    /** Looks again after a while, if we hold back and nothing else is under way; called last at each event. */
    public void proceed(long nowNanos) {
        if (holdsBack
                && !waiting
                && ledger.pendingCount() == 0
                && !ledger.ownWork().isEmpty()) {
            waiting = true;
            possessedBefore = ledger.possession().pieces().size();
            outbox.add(new Action.SetTimer(TimerKey.TURN, nowNanos + QUIET_NANOS));
        }
    }

    /** The while is over; returns whether the node may ask for more than before. */
    public boolean timerFired() {
        boolean isQuiet = waiting
                && ledger.pendingCount() == 0
                && ledger.possession().pieces().size() == possessedBefore;
        waiting = false;
        boolean isNext = isQuiet && random.nextInt(nodes) == 0;
        if (isNext) {
            limit++;
        }
        return isNext;
    }
}
