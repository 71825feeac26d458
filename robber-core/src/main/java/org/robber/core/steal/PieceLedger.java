package org.robber.core.steal;

import static com.google.common.base.Preconditions.checkState;

import org.robber.core.peer.Peer;
import org.robber.core.piece.PieceSet;
import org.robber.core.transfer.Possession;

/**
 * The state of each piece at a node. A piece is exactly one of: possessed; pending, that is requested of a peer; or unasked. Among the
 * unasked are the node's own work, which it steals from outside, and those that will come from cluster mates.
 *
 * <p>Counting a set is O(1), and so is moving one piece.
 */
public final class PieceLedger {
    private final Possession possession;
    private final PieceSet unasked;
    private final PieceSet ownWork;

    /** Pending pieces that become own work again if they do not come. */
    private final PieceSet pendingWork;

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

    /** What may be asked of the peer: of a cluster mate all that is unasked, of others own work; a live view. */
    PieceSet askableOf(Peer peer) {
        return peer.isLocal() ? unasked : ownWork;
    }

    /** Notes that these pieces will not come, but for those that are here. */
    public void giveUp(PieceSet pieces) {
        possession.giveUp(pieces);
        unasked.removeAll(possession.givenUp());
        ownWork.removeAll(possession.givenUp());
        pendingWork.removeAll(possession.givenUp());
    }

    /** How many pieces are pending. */
    public int pendingCount() {
        return possession.lackedCount() - unasked.size();
    }

    /** Notes that an unasked piece was asked of a peer. */
    void ask(int piece) {
        checkState(unasked.remove(piece), "piece %s is not unasked", piece);
        if (ownWork.remove(piece)) {
            pendingWork.add(piece);
        }
    }

    /** Notes that a piece arrived, asked for or not; returns whether it is new. */
    boolean store(int piece) {
        unasked.remove(piece);
        ownWork.remove(piece);
        pendingWork.remove(piece);
        return possession.add(piece);
    }

    /** Notes that a pending piece will not come; returns whether it is own work again. */
    boolean unask(int piece) {
        if (!possession.lacks(piece)) {
            return false;
        }
        unasked.add(piece);
        return pendingWork.remove(piece) && ownWork.add(piece);
    }

    /** Notes that a cluster mate possesses the piece: it needs no stealing any more. */
    void leaveToMate(int piece) {
        ownWork.remove(piece);
        pendingWork.remove(piece);
    }

    /** Notes that a cluster mate possesses these pieces: they need no stealing any more. */
    void leaveToMate(PieceSet pieces) {
        ownWork.removeAll(pieces);
        pendingWork.removeAll(pieces);
    }

    /** Removes the first of these pieces from the own work, of which they are a part; returns them, for a mate that takes them over. */
    public PieceSet giveAway(PieceSet pieces, int count) {
        PieceSet given = pieces.takeFirst(count);
        ownWork.removeAll(given);
        return given;
    }

    /** Makes those of the pieces that are unasked own work. */
    public void takeOver(PieceSet pieces) {
        ownWork.addAll(pieces.and(unasked));
    }
}
