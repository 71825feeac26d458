package org.robber.core.rivals.tree;

import static org.robber.core.transfer.ProtocolBreach.unless;

import com.google.common.collect.ImmutableList;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.robber.core.peer.Peer;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.transfer.Outbox;
import org.robber.core.transfer.Possession;
import org.robber.core.transfer.Tally;

/**
 * How pieces come to a node. It asks its parents ahead of what they have, so a piece flows on as soon as it is there, as
 * if it were pushed; what is asked for is all that may come, so a slow node's memory does not fill.
 */
final class Intake {
    private final Possession possession;
    private final ImmutableList<Lane> lanes;
    private final int[] firstPieces;
    private final Tally tally;
    private final Outbox outbox;

    /**
     * An intake that has not asked for anything.
     *
     * @param possession what is here; what comes is added to it
     * @param lanes of the stripes, in order; those without pieces, too
     * @param firstPieces where each lane begins
     */
    Intake(Possession possession, ImmutableList<Lane> lanes, int[] firstPieces, Tally tally, Outbox outbox) {
        this.possession = possession;
        this.lanes = lanes;
        this.firstPieces = firstPieces;
        this.tally = tally;
        this.outbox = outbox;
    }

    /** What is lacked of stripes in which nobody is left who might be asked; a new set. */
    PieceSet cutOff() {
        PieceSet cutOff = possession.lacked();
        for (int i = 0; i < lanes.size(); i++) {
            if (lanes.get(i).source() != null) {
                cutOff.removeAll(PieceSet.range(possession.pieceCount(), firstPieces[i], firstPieces[i + 1]));
            }
        }
        return cutOff;
    }

    /** Whether everybody who might have been asked for these pieces is gone for good. */
    boolean isCutOffForGood(PieceSet pieces) {
        for (int i = 0; i < lanes.size(); i++) {
            if (pieces.countCommon(PieceSet.range(possession.pieceCount(), firstPieces[i], firstPieces[i + 1])) > 0
                    && !lanes.get(i).isForsaken()) {
                return false;
            }
        }
        return true;
    }

    /** The stripe that a piece belongs to. */
    int stripeOf(int piece) {
        int place = Arrays.binarySearch(firstPieces, piece);
        if (place < 0) {
            return -place - 2;
        }
        while (firstPieces[place + 1] == piece) {
            place++; // stripes without pieces begin at the same place
        }
        return place;
    }

    /** Asks the peer for as much as may be asked of it, all lanes that lead from it in proportion to their length. */
    void fillFrom(Peer peer) {
        boolean asked = peer.isReady();
        while (asked) {
            Lane least = null;
            for (Lane lane : lanes) {
                if (!lane.isFull()
                        && lane.progress() < 1
                        && isSource(lane, peer)
                        && (least == null || lane.progress() < least.progress())) {
                    least = lane;
                }
            }
            asked = least != null && ask(least, peer);
        }
        for (Lane lane : lanes) {
            fill(lane);
        }
    }

    @SuppressWarnings("ReferenceEquality") // there is one Peer per peer
    private static boolean isSource(Lane lane, Peer peer) {
        return lane.source() == peer;
    }

    private void fill(Lane lane) {
        @Nullable Peer source = lane.source();
        if (source != null && source.isReady() && !source.end().isPeerToldToStop()) {
            while (!lane.isFull() && ask(lane, source)) {
                // one more
            }
        }
    }

    private boolean ask(Lane lane, Peer source) {
        int piece = lane.ask(possession.pieces());
        if (piece >= 0) {
            outbox.send(source, new Message.Request(piece));
        }
        return piece >= 0;
    }

    /** A piece came from the peer, asked for or not; returns whether it is new. */
    boolean pieceStored(Peer from, int piece) {
        from.reliability().verified();
        boolean isNew = possession.add(piece);
        if (isNew) {
            tally.pieceReceived(from);
        }
        Lane lane = lanes.get(stripeOf(piece));
        lane.stored(piece);
        fill(lane);
        return isNew;
    }

    /** The peer refused a piece: it is asked again. */
    void rejectReceived(Peer peer, int piece) {
        unless(piece >= 0 && piece < possession.pieceCount(), "reject of a piece that isn't there");
        Lane lane = lanes.get(stripeOf(piece));
        unless(lane.isAsked(piece) && isSource(lane, peer), "reject without a request");
        unless(!peer.reliability().refused(), "refuses everything");
        takeBack(piece);
    }

    /** A piece came damaged: it is asked again, or returns false if that happened too often. */
    boolean pieceCorrupt(Peer from, int piece) {
        takeBack(piece);
        return !from.reliability().corrupt();
    }

    private void takeBack(int piece) {
        tally.pieceRejected();
        Lane lane = lanes.get(stripeOf(piece));
        if (lane.takeBack(piece)) {
            fill(lane);
        }
    }

    /** The peer is gone: what it was asked for is asked of the next ancestor. */
    void peerLost(Peer peer) {
        for (Lane lane : lanes) {
            if (lane.isAncestor(peer)) {
                lane.takeBackAll();
                fill(lane);
            }
        }
    }
}
