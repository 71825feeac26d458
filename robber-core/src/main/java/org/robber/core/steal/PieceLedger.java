package org.robber.core.steal;

import static com.google.common.base.Preconditions.checkState;

import org.robber.core.peer.Peer;
import org.robber.core.piece.PieceSet;
import org.robber.core.transfer.Possession;

/**
 * The state of each piece at a node. A piece is exactly one of: possessed; pending, that is requested of a peer; or unasked. Among the
 * unasked are the node's own work, which it steals from outside; those that will come from cluster mates; those that relays
 * are to bring; and those that the node is to bring for others. The first two may be postponed.
 *
 * <p>Counting a set is O(1), and so is moving one piece.
 */
public final class PieceLedger {
    private final Possession possession;
    private final PieceSet unasked;
    private final PieceSet ownWork;

    /** Pending pieces that become own work again if they do not come. */
    private final PieceSet pendingWork;

    /** Own work that was left to relays. Unasked. */
    private final PieceSet entrusted;

    /** Unasked pieces, but for those that are postponed. Mates may be asked for them. */
    private final PieceSet askableInside;

    /** Own work that is postponed. Unasked. */
    private final PieceSet postponedWork;

    /** Pieces that this node brings for others, and that are not here. It does not lack them. */
    private final PieceSet forOthers;

    /**
     * A ledger without pending pieces.
     *
     * @param possession what the node has; from now on, it changes through this ledger alone
     * @param share what it is to steal from outside; what it has already is left out; copied
     */
    public PieceLedger(Possession possession, PieceSet share) {
        this.possession = possession;
        this.unasked = possession.lacked();
        this.ownWork = share.and(unasked);
        this.pendingWork = PieceSet.empty(possession.pieceCount());
        this.entrusted = PieceSet.empty(possession.pieceCount());
        this.askableInside = unasked.copy();
        this.postponedWork = PieceSet.empty(possession.pieceCount());
        this.forOthers = PieceSet.empty(possession.pieceCount());
    }

    /** Number of pieces of the data. */
    public int pieceCount() {
        return possession.pieceCount();
    }

    /** What the node has, and what it lacks, pending or not. */
    public Possession possession() {
        return possession;
    }

    /** Neither possessed nor pending; a live view. */
    public PieceSet unasked() {
        return unasked;
    }

    /** What the node is to steal from outside and has not asked for yet; a live view. */
    public PieceSet ownWork() {
        return ownWork;
    }

    /** Pieces that the node has requested outside and that no known mate has; a live view. */
    public PieceSet pendingWork() {
        return pendingWork;
    }

    /** The pieces that may be asked of the peer: of a cluster mate all unasked ones that are not postponed, of others own work; a live view. */
    PieceSet askableOf(Peer peer) {
        return peer.isLocal() ? askableInside : ownWork;
    }

    /** How many pieces may be asked of the peer, now or later. */
    int leftFor(Peer peer) {
        return peer.isLocal() ? unasked.size() : ownWork.size() + postponedWork.size();
    }

    /** Whether the piece may be asked of the peer, for this node or for others. */
    boolean mayBeAskedOf(Peer peer, int piece) {
        return askableOf(peer).contains(piece)
                || (!peer.isLocal() && forOthers.contains(piece) && unasked.contains(piece));
    }

    /** Notes that these pieces will not come, but for those that are here. */
    public void giveUp(PieceSet pieces) {
        possession.giveUp(pieces);
        unasked.removeAll(possession.givenUp());
        askableInside.removeAll(possession.givenUp());
        ownWork.removeAll(possession.givenUp());
        pendingWork.removeAll(possession.givenUp());
        entrusted.removeAll(possession.givenUp());
        postponedWork.removeAll(possession.givenUp());
        unasked.removeAll(forOthers.and(pieces));
        askableInside.removeAll(forOthers.and(pieces));
        forOthers.removeAll(pieces);
    }

    /** How many pieces are pending. */
    public int pendingCount() {
        return possession.lackedCount() + forOthers.size() - unasked.size();
    }

    /** Notes that an unasked piece was asked of a peer. */
    void ask(int piece) {
        checkState(unasked.remove(piece), "piece %s is not unasked", piece);
        askableInside.remove(piece);
        if (ownWork.remove(piece)) {
            pendingWork.add(piece);
        }
    }

    /** Notes that a piece arrived, asked for or not; returns whether it is new. */
    boolean store(int piece) {
        unasked.remove(piece);
        askableInside.remove(piece);
        ownWork.remove(piece);
        pendingWork.remove(piece);
        entrusted.remove(piece);
        postponedWork.remove(piece);
        forOthers.remove(piece);
        return possession.add(piece);
    }

    /** Notes that a pending piece will not come; returns whether it is own work again. */
    boolean unask(int piece) {
        if (!possession.lacks(piece) && !forOthers.contains(piece)) {
            return false;
        }
        unasked.add(piece);
        askableInside.add(piece);
        return pendingWork.remove(piece) && ownWork.add(piece);
    }

    /** Notes that a cluster mate possesses the piece: it needs no stealing any more. */
    void leaveToMate(int piece) {
        ownWork.remove(piece);
        postponedWork.remove(piece);
        pendingWork.remove(piece);
    }

    /** Notes that a cluster mate possesses these pieces, or is to bring them: they need no stealing any more. */
    void leaveToMate(PieceSet pieces) {
        ownWork.removeAll(pieces);
        postponedWork.removeAll(pieces);
        pendingWork.removeAll(pieces);
    }

    /** Removes the first of these pieces from the own work, of which they are a part; returns them, for a mate that takes them over. */
    public PieceSet giveAway(PieceSet pieces, int count) {
        PieceSet given = pieces.takeFirst(count);
        ownWork.removeAll(given);
        return given;
    }

    /** What is desired of other clusters: own work, now or later, what relays are to bring, and what this node is to bring; a new set. */
    PieceSet desiredOutside() {
        PieceSet desired = ownWork.copy();
        desired.addAll(postponedWork);
        desired.addAll(entrusted);
        desired.addAll(unaskedForOthers());
        return desired;
    }

    /** The pieces to desire of mates: all that is lacked, and those that this node is to bring; a new set. */
    PieceSet desiredInside() {
        PieceSet desired = possession.lacked();
        desired.addAll(unaskedForOthers());
        return desired;
    }

    /** Own work that was left to relays; a live view. */
    PieceSet entrusted() {
        return entrusted;
    }

    /** What this node is to bring for others and has not asked for; a new set. */
    PieceSet unaskedForOthers() {
        return forOthers.and(unasked);
    }

    /** Postpones an unasked piece: it is requested of no one. */
    void postpone(int piece) {
        askableInside.remove(piece);
        if (ownWork.remove(piece)) {
            postponedWork.add(piece);
        }
    }

    /** Makes a postponed piece requestable again. */
    void resume(int piece) {
        if (unasked.contains(piece)) {
            askableInside.add(piece);
        }
        if (postponedWork.remove(piece)) {
            ownWork.add(piece);
        }
    }

    /** Leaves own work to a relay. */
    void entrust(PieceSet pieces) {
        ownWork.removeAll(pieces);
        entrusted.addAll(pieces);
    }

    /** Makes an entrusted piece own work again. */
    void takeBack(int piece) {
        if (entrusted.remove(piece) && unasked.contains(piece)) {
            ownWork.add(piece);
        }
    }

    /** Notes that this node is to bring pieces for others, at most so many; returns those that it neither possesses nor lacks; a new set. */
    PieceSet bring(PieceSet pieces, int most) {
        PieceSet more = pieces.andNot(possession.pieces());
        more.removeAll(possession.lacked());
        more.removeAll(forOthers);
        more = more.takeFirst(most);
        forOthers.addAll(more);
        unasked.addAll(more);
        askableInside.addAll(more);
        return more;
    }

    /** Notes that a piece need not be brought any more; returns whether it was to be. */
    boolean stopBringing(int piece) {
        boolean wasToBeBrought = forOthers.remove(piece);
        if (wasToBeBrought) {
            unasked.remove(piece);
            askableInside.remove(piece);
        }
        return wasToBeBrought;
    }

    /** Takes back lacked pieces that a mate was to bring: they are own work, or will be if a request that is outstanding fails. */
    void takeBackFromMate(PieceSet pieces) {
        PieceSet lacked = pieces.and(possession.lacked());
        ownWork.addAll(lacked.and(unasked));
        pendingWork.addAll(lacked.andNot(unasked));
    }

    /** Makes those of the pieces that are unasked own work. */
    public void takeOver(PieceSet pieces) {
        ownWork.addAll(pieces.and(unasked));
        askableInside.addAll(pieces.and(unasked));
        postponedWork.removeAll(pieces);
    }
}
