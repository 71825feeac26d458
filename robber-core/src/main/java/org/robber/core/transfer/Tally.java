package org.robber.core.transfer;

import org.robber.core.node.NodeCounters;
import org.robber.core.peer.Peer;

/** The running counters of a node. */
public final class Tally {
    private int piecesReceivedLocal;
    private int piecesStolenGlobal;
    private int stealsSent;
    private int stealsWon;
    private int piecesRejected;

    /** Counts a new piece. */
    public void pieceReceived(Peer from) {
        if (from.isLocal()) {
            piecesReceivedLocal++;
        } else {
            piecesStolenGlobal++;
        }
    }

    /** Counts a refused request, or a piece that came corrupt. */
    public void pieceRejected() {
        piecesRejected++;
    }

    /** Counts a request for work. */
    public void stealSent() {
        stealsSent++;
    }

    /** Counts work received. */
    public void stealWon() {
        stealsWon++;
    }

    /** Requests for work so far. */
    public int stealsSent() {
        return stealsSent;
    }

    /** Pieces that came from other clusters so far. */
    public int piecesStolenGlobal() {
        return piecesStolenGlobal;
    }

    /** The counters as they are now. */
    public NodeCounters snapshot() {
        return new NodeCounters(piecesReceivedLocal, piecesStolenGlobal, stealsSent, stealsWon, piecesRejected);
    }
}
