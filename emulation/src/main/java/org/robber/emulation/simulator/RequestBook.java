package org.robber.emulation.simulator;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.robber.core.node.StrategyLimits;
import org.robber.core.piece.SmallPieceSet;
import org.robber.emulation.simulator.checker.InvariantViolationException;

/**
 * The outstanding requests of a node. The real driver keeps the same book, because it takes only pieces that were asked
 * for of the peer that sends them.
 */
final class RequestBook {
    private final StrategyLimits promises;

    /** At each peer; null where nothing was asked or taken back over the connection that there is. */
    private @Nullable OpenRequests[] open;

    private final byte[] askedPeers;

    /** How many pieces are unheard at all peers together. */
    private int unheardCount;

    RequestBook(int peers, int pieceCount, StrategyLimits promises) {
        this.promises = promises;
        this.open = new @Nullable OpenRequests[peers];
        this.askedPeers = new byte[pieceCount];
    }

    /** There is one more peer. */
    void addPeer() {
        open = Arrays.copyOf(open, open.length + 1);
    }

    /** The piece was asked of this peer, and may now be asked of others. */
    void recall(int peerIndex, int piece) {
        OpenRequests requests = at(peerIndex);
        if (strike(requests, piece)) {
            requests.recalled = requests.recalled.with(piece);
        } else if (!requests.recalled.contains(piece)) {
            setUnheard(requests, requests.unheard.with(piece));
        }
    }

    /**
     * The node asks for a piece. If it had taken that back, and the answer has come that it has not heard of, it will take that for the
     * answer to this request: then it counts one request less than are under way, and what comes later is needless.
     */
    void ask(int peerIndex, int piece, long nowNanos) {
        OpenRequests requests = at(peerIndex);
        if (requests.unheard.contains(piece)) {
            requests.recalled = requests.recalled.with(piece);
            return;
        }
        requests.add(piece, nowNanos);
        if (requests.size() > promises.requestsPerPeer()) {
            throw new InvariantViolationException("has " + requests.size() + " requests outstanding at one peer");
        }
        if (++askedPeers[piece] > promises.requestsPerPiece()) {
            throw new InvariantViolationException("asks " + askedPeers[piece] + " peers for piece " + piece);
        }
    }

    /** The piece came, or will not come; returns whether it had been asked of this peer. */
    boolean close(int peerIndex, int piece) {
        OpenRequests requests = open[peerIndex];
        if (requests == null) {
            return false;
        }
        if (strike(requests, piece)) {
            return true;
        }
        boolean wasRecalled = requests.recalled.contains(piece);
        if (wasRecalled) {
            requests.recalled = requests.recalled.without(piece);
            setUnheard(requests, requests.unheard.with(piece));
        }
        return wasRecalled;
    }

    private OpenRequests at(int peerIndex) {
        OpenRequests requests = open[peerIndex];
        if (requests == null) {
            requests = new OpenRequests();
            open[peerIndex] = requests;
        }
        return requests;
    }

    private boolean strike(OpenRequests requests, int piece) {
        boolean wasOpen = requests.remove(piece);
        if (wasOpen) {
            askedPeers[piece]--;
        }
        return wasOpen;
    }

    private void setUnheard(OpenRequests requests, SmallPieceSet pieces) {
        unheardCount += pieces.size() - requests.unheard.size();
        requests.unheard = pieces;
    }

    /** Whether there is anything that the node must be said to have heard: hardly ever, so that nobody need look for peers. */
    boolean isAnyUnheard() {
        return unheardCount > 0;
    }

    /** The node hears that a piece came from this peer, or will not come. */
    void heard(int peerIndex, int piece) {
        OpenRequests requests = open[peerIndex];
        if (requests != null) {
            setUnheard(requests, requests.unheard.without(piece));
        }
    }

    /** The peer is gone. */
    void closeAll(int peerIndex) {
        OpenRequests requests = open[peerIndex];
        if (requests != null) {
            setUnheard(requests, SmallPieceSet.NONE);
            for (int i = 0; i < requests.size(); i++) {
                askedPeers[requests.piece(i)]--;
            }
            open[peerIndex] = null;
        }
    }

    /** The requests outstanding at a peer, or null if there are none. */
    @Nullable
    OpenRequests openAt(int peerIndex) {
        OpenRequests requests = open[peerIndex];
        return requests == null || requests.size() == 0 ? null : requests;
    }
}
