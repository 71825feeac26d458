package org.robber.core.steal;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;
import java.util.HashMap;
import java.util.Map;
import org.robber.core.peer.Peer;
import org.robber.core.piece.PieceSet;
import org.robber.core.tuning.Tuning;

/**
 * The pieces that a node has entrusted to relays and that have not come, by path: from the cluster of their owner to the relay. Each path
 * begins with one piece and may have more with each piece that came over it, up to a limit. So a slow path never has many.
 */
final class RelayPaths {
    private final int clusters;
    /** The pieces that each relay is to bring, by its rank. */
    private final Map<Integer, PieceSet> piecesOfRelay = new HashMap<>();

    /** The path of each piece that is to be brought. No piece is entrusted twice. */
    private final Map<Integer, Integer> pathOfPiece = new HashMap<>();

    /** Each path as often as pieces are to come over it. */
    private final Multiset<Integer> onPath = HashMultiset.create();

    /** Each path as often as pieces have come over it. */
    private final Multiset<Integer> comeOverPath = HashMultiset.create();

    /** No piece is entrusted. */
    RelayPaths(int clusters) {
        this.clusters = clusters;
    }

    private int path(Peer relay, int cluster) {
        return relay.rank() * clusters + cluster;
    }

    /** Notes that the relay is to bring these pieces from a cluster. */
    void entrust(Peer relay, int cluster, PieceSet pieces) {
        int path = path(relay, cluster);
        piecesOfRelay
                .computeIfAbsent(relay.rank(), rank -> PieceSet.empty(pieces.capacity()))
                .addAll(pieces);
        pieces.forEach(piece -> pathOfPiece.put(piece, path));
        onPath.add(path, pieces.size());
    }

    /** How many more pieces the relay may bring from a cluster; 0 as long as more than half of what it may bring has not come. */
    int room(Peer relay, int cluster) {
        int path = path(relay, cluster);
        int most = Math.min(Tuning.LARGEST_RELAY_WINDOW, 1 + comeOverPath.count(path));
        int count = onPath.count(path);
        return count > most / 2 ? 0 : most - count;
    }

    /** How many pieces the relay is to bring. */
    int count(Peer relay) {
        PieceSet pieces = piecesOfRelay.get(relay.rank());
        return pieces == null ? 0 : pieces.size();
    }

    /** Whether the relay is to bring this piece. */
    boolean contains(Peer relay, int piece) {
        PieceSet pieces = piecesOfRelay.get(relay.rank());
        return pieces != null && pieces.contains(piece);
    }

    /** What the relay is to bring; a new set of this capacity. */
    PieceSet of(Peer relay, int pieceCount) {
        PieceSet pieces = piecesOfRelay.get(relay.rank());
        return pieces == null ? PieceSet.empty(pieceCount) : pieces.copy();
    }

    /** A piece came from a peer, its relay or not. */
    void came(Peer from, int piece) {
        Integer path = pathOfPiece.get(piece);
        forget(piece);
        if (path != null && path / clusters == from.rank()) {
            comeOverPath.add(path);
        }
    }

    /** No relay is to bring this piece any more. */
    void forget(int piece) {
        Integer path = pathOfPiece.remove(piece);
        if (path != null) {
            PieceSet pieces = piecesOfRelay.get(path / clusters);
            if (pieces != null) {
                pieces.remove(piece);
            }
            onPath.remove(path);
        }
    }

    /** The relay brings nothing more. */
    void forget(Peer relay) {
        PieceSet pieces = piecesOfRelay.remove(relay.rank());
        if (pieces != null) {
            pieces.forEach(piece -> onPath.remove(pathOfPiece.remove(piece)));
        }
    }
}
