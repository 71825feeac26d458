package org.robber.emulation.simulator;

import java.util.Arrays;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.robber.core.node.Promises;
import org.robber.core.piece.FewPieces;
import org.robber.emulation.simulator.checker.BrokenPromiseException;

/**
 * What a node has asked for and not got. The real driver keeps the same book, for it takes only pieces that were asked
 * for of the peer that sends them.
 */
final class RequestBook {
    private final Promises promises;
    private @Nullable OpenRequests[] open;

    /** What was asked and then taken back, which may come all the same. */
    private final PiecesOfPeers recalled = new PiecesOfPeers();

    /** What was taken back and has come, before that or after, without the node, busy or stopped, having heard of it yet. */
    private final PiecesOfPeers unheard = new PiecesOfPeers();

    private final byte[] askedPeers;

    RequestBook(int peers, int pieceCount, Promises promises) {
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
        if (strike(peerIndex, piece)) {
            recalled.add(peerIndex, piece);
        } else if (!recalled.contains(peerIndex, piece)) {
            unheard.add(peerIndex, piece);
        }
    }

    /**
     * The node asks for a piece. If it had taken that back, and the answer has come that it has not heard of, it will take that for the
     * answer to this request: then it counts one request less than are under way, and what comes later is needless.
     */
    void ask(int peerIndex, int piece, long nowNanos) {
        if (unheard.contains(peerIndex, piece)) {
            recalled.add(peerIndex, piece);
            return;
        }
        OpenRequests requests = open[peerIndex];
        if (requests == null) {
            requests = new OpenRequests();
            open[peerIndex] = requests;
        }
        requests.add(piece, nowNanos);
        if (requests.size() > promises.requestsPerPeer()) {
            throw new BrokenPromiseException("has " + requests.size() + " requests outstanding at one peer");
        }
        if (++askedPeers[piece] > promises.requestsPerPiece()) {
            throw new BrokenPromiseException("asks " + askedPeers[piece] + " peers for piece " + piece);
        }
    }

    /** The piece came, or will not come; returns whether it had been asked of this peer. */
    boolean close(int peerIndex, int piece) {
        if (strike(peerIndex, piece)) {
            return true;
        }
        boolean wasRecalled = recalled.remove(peerIndex, piece);
        if (wasRecalled) {
            unheard.add(peerIndex, piece);
        }
        return wasRecalled;
    }

    private boolean strike(int peerIndex, int piece) {
        OpenRequests requests = open[peerIndex];
        boolean wasOpen = requests != null && requests.remove(piece);
        if (wasOpen) {
            askedPeers[piece]--;
        }
        return wasOpen;
    }

    /** Whether there may be anything that the node must be said to have heard: hardly ever, so that nobody need look for peers. */
    boolean isAnyUnheard() {
        return !unheard.isEmpty();
    }

    /** The node hears that a piece came from this peer, or will not come. */
    void heard(int peerIndex, int piece) {
        boolean unused = unheard.remove(peerIndex, piece);
    }

    /** The peer is gone. */
    void closeAll(int peerIndex) {
        recalled.removeAllOf(peerIndex);
        unheard.removeAllOf(peerIndex);
        OpenRequests requests = open[peerIndex];
        if (requests != null) {
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

    /** Some pieces of some peers; few. */
    private static final class PiecesOfPeers {
        private final TreeMap<Integer, FewPieces> pieces = new TreeMap<>();

        void add(int peerIndex, int piece) {
            pieces.computeIfAbsent(peerIndex, index -> new FewPieces()).add(piece);
        }

        boolean contains(int peerIndex, int piece) {
            FewPieces its = pieces.get(peerIndex);
            return its != null && its.contains(piece);
        }

        boolean remove(int peerIndex, int piece) {
            FewPieces its = pieces.get(peerIndex);
            if (its == null || !its.remove(piece)) {
                return false;
            }
            if (its.isEmpty()) {
                pieces.remove(peerIndex);
            }
            return true;
        }

        boolean isEmpty() {
            return pieces.isEmpty();
        }

        void removeAllOf(int peerIndex) {
            pieces.remove(peerIndex);
        }
    }
}
