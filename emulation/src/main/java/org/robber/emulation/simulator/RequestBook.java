package org.robber.emulation.simulator;

import java.util.Arrays;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.robber.emulation.simulator.checker.BrokenPromiseException;
import org.robber.emulation.simulator.checker.Promises;

/**
 * What a node has asked for and not got. The real driver keeps the same book, for it takes only pieces that were asked
 * for of the peer that sends them.
 */
final class RequestBook {
    private final Promises promises;
    private @Nullable OpenRequests[] open;

    /** What was asked and then taken back, which may come all the same. */
    private final TreeMap<Integer, TreeSet<Integer>> recalled = new TreeMap<>();

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
        if (close(peerIndex, piece)) {
            recalled.computeIfAbsent(peerIndex, index -> new TreeSet<>()).add(piece);
        }
    }

    void ask(int peerIndex, int piece, long nowNanos) {
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
        OpenRequests requests = open[peerIndex];
        boolean wasOpen = requests != null && requests.remove(piece);
        if (wasOpen) {
            askedPeers[piece]--;
        }
        TreeSet<Integer> its = wasOpen ? null : recalled.get(peerIndex);
        return wasOpen || (its != null && its.remove(piece));
    }

    /** The peer is gone. */
    void closeAll(int peerIndex) {
        recalled.remove(peerIndex);
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
}
