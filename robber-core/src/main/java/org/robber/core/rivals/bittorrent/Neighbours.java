package org.robber.core.rivals.bittorrent;

import com.google.common.collect.ImmutableList;
import java.util.TreeMap;
import org.robber.core.peer.Peer;

/** The neighbours of a node, smallest rank first. They become more when the overlay is repaired. */
final class Neighbours {
    private final int pieceCount;
    private final TreeMap<Integer, Neighbour> byRank = new TreeMap<>();
    private ImmutableList<Neighbour> all = ImmutableList.of();

    Neighbours(Iterable<Peer> peers, int pieceCount) {
        this.pieceCount = pieceCount;
        for (Peer peer : peers) {
            byRank.put(peer.rank(), new Neighbour(peer, pieceCount));
        }
        all = ImmutableList.copyOf(byRank.values());
    }

    /** What is known of this peer. */
    Neighbour of(Peer peer) {
        Neighbour known = byRank.get(peer.rank());
        if (known != null) {
            return known;
        }
        Neighbour newcomer = new Neighbour(peer, pieceCount);
        byRank.put(peer.rank(), newcomer);
        all = ImmutableList.copyOf(byRank.values());
        return newcomer;
    }

    ImmutableList<Neighbour> all() {
        return all;
    }
}
