package org.robber.core.steal;

import java.util.HashMap;
import java.util.Map;
import org.robber.core.peer.Peer;
import org.robber.core.piece.PieceSet;

/**
 * The pieces that a node has entrusted to relays and that have not come, by path: from the cluster of their owner to the relay. Each path
 * begins with one piece and may have more with each piece that came over it, up to a limit. So a slow path never has many.
 */
final class RelayPaths {
    private final int clusters;
    private final int mostOnPath;
    private final Map<Integer, PieceSet> onPath = new HashMap<>();
    private final Map<Integer, Integer> comeOverPath = new HashMap<>();

    /** No piece is entrusted. */
    RelayPaths(int clusters, int mostOnPath) {
        this.clusters = clusters;
        this.mostOnPath = mostOnPath;
    }

    private int path(Peer relay, int cluster) {
        return relay.rank() * clusters + cluster;
    }

    /** Notes that the relay is to bring these pieces from a cluster. */
    void entrust(Peer relay, int cluster, PieceSet pieces) {
        onPath.computeIfAbsent(path(relay, cluster), path -> PieceSet.empty(pieces.capacity()))
                .addAll(pieces);
    }

    /** How many more pieces the relay may bring from a cluster; 0 as long as more than half of what it may bring has not come. */
    int room(Peer relay, int cluster) {
        int most = Math.min(mostOnPath, 1 + comeOverPath.getOrDefault(path(relay, cluster), 0));
        int count = count(relay, cluster);
        return count > most / 2 ? 0 : most - count;
    }

    /** How many pieces the relay is to bring. */
    int count(Peer relay) {
        int count = 0;
        for (int cluster = 0; cluster < clusters; cluster++) {
            count += count(relay, cluster);
        }
        return count;
    }

    private int count(Peer relay, int cluster) {
        PieceSet pieces = onPath.get(path(relay, cluster));
        return pieces == null ? 0 : pieces.size();
    }

    /** What the relay is to bring; a new set of this capacity. */
    PieceSet of(Peer relay, int pieceCount) {
        PieceSet pieces = PieceSet.empty(pieceCount);
        for (int cluster = 0; cluster < clusters; cluster++) {
            PieceSet part = onPath.get(path(relay, cluster));
            if (part != null) {
                pieces.addAll(part);
            }
        }
        return pieces;
    }

    /** A piece came from a peer, its relay or not. */
    void came(Peer from, int piece) {
        onPath.forEach((path, pieces) -> {
            if (pieces.remove(piece) && path / clusters == from.rank()) {
                comeOverPath.merge(path, 1, Integer::sum);
            }
        });
    }

    /** The relay brings nothing more. */
    void forget(Peer relay) {
        for (int cluster = 0; cluster < clusters; cluster++) {
            onPath.remove(path(relay, cluster));
        }
    }
}
