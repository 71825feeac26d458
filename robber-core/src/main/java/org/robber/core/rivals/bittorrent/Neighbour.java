package org.robber.core.rivals.bittorrent;

import org.robber.core.peer.OutstandingRequests;
import org.robber.core.peer.Peer;
import org.robber.core.piece.PieceSet;

/** The state of BitTorrent for one peer. At first both sides are choked and not interested. */
final class Neighbour {
    private final Peer peer;

    /** What it has said that it possesses. */
    final PieceSet offered;

    /** How many of the pieces that it offers are not here. */
    int offeredAndLacked;

    /** We have told it that it possesses something that we lack. */
    boolean interesting;

    /** It has told us that we possess something that it lacks. */
    boolean interested;

    /** We answer no new requests of it. */
    boolean choked = true;

    /** It answers no new requests of ours. */
    boolean chokesUs = true;

    boolean bitfieldReceived;

    private int receivedNow;
    private int receivedBefore;
    private int sentNow;
    private int sentBefore;

    Neighbour(Peer peer, int pieceCount) {
        this.peer = peer;
        this.offered = PieceSet.empty(pieceCount);
    }

    Peer peer() {
        return peer;
    }

    /** The requests outstanding at it. */
    OutstandingRequests requests() {
        return peer.requests();
    }

    /** The connection is lost: all state of it is reset. */
    void reset() {
        offered.clear();
        offeredAndLacked = 0;
        interesting = false;
        interested = false;
        choked = true;
        chokesUs = true;
        bitfieldReceived = false;
    }

    /** Whether it can be sent messages still. */
    boolean isOpen() {
        return peer.isReady() && !peer.end().isPeerToldToStop();
    }

    void countReceived() {
        receivedNow++;
    }

    void countSent() {
        sentNow++;
    }

    /** Pieces that came from it in this period and the one before. */
    int received() {
        return receivedNow + receivedBefore;
    }

    /** Pieces that it was sent in this period and the one before. */
    int sent() {
        return sentNow + sentBefore;
    }

    /** A new period begins. */
    void nextPeriod() {
        receivedBefore = receivedNow;
        receivedNow = 0;
        sentBefore = sentNow;
        sentNow = 0;
    }
}
