package org.robber.transport.link;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.robber.core.piece.PieceSet;
import org.robber.transport.link.Arrival.State;

/** Knows which pieces were requested from which peers, and which of them are here. Not thread-safe. */
final class ArrivalBook {
    private final Map<Integer, List<Arrival>> byPiece = new HashMap<>();
    private final PieceSet kept;

    ArrivalBook(int pieceCount) {
        this.kept = PieceSet.empty(pieceCount);
    }

    /** A request was sent to the peer. A piece that it sends already is noted once. */
    void expect(int piece, int fromRank) {
        Arrival earlier = find(piece, fromRank);
        if (earlier != null) {
            earlier.recalled = false;
            return;
        }
        Arrival arrival = new Arrival(piece, fromRank);
        if (kept.contains(piece)) {
            arrival.state = State.NEEDLESS;
        }
        byPiece.computeIfAbsent(piece, first -> new ArrayList<>(1)).add(arrival);
    }

    /** The arrivals of the piece: one for each peer that has a request for it and has neither sent nor refused it. */
    List<Arrival> of(int piece) {
        return byPiece.getOrDefault(piece, List.of());
    }

    @Nullable
    Arrival find(int piece, int fromRank) {
        for (Arrival arrival : of(piece)) {
            if (arrival.fromRank == fromRank) {
                return arrival;
            }
        }
        return null;
    }

    boolean contains(Arrival arrival) {
        return of(arrival.piece).contains(arrival);
    }

    /** Strikes it off, if it is there. */
    void remove(Arrival arrival) {
        List<Arrival> all = byPiece.get(arrival.piece);
        if (all != null && all.remove(arrival) && all.isEmpty()) {
            byPiece.remove(arrival.piece);
        }
    }

    List<Arrival> removeIf(Predicate<Arrival> what) {
        List<Arrival> removed = new ArrayList<>();
        byPiece.values().removeIf(all -> {
            all.removeIf(arrival -> what.test(arrival) && removed.add(arrival));
            return all.isEmpty();
        });
        return removed;
    }

    boolean isOwedBy(int fromRank) {
        for (List<Arrival> all : byPiece.values()) {
            for (Arrival arrival : all) {
                boolean awaited = arrival.state == State.AWAITED || arrival.state == State.GATHERED;
                if (awaited && arrival.fromRank == fromRank && !arrival.recalled) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * The first arrival of a piece that is whole and right. All others of this piece are needless; those of them that have begun to come
     * are struck off.
     *
     * @return all others whose memory the caller must give back, without the lock; null if this isn't the first
     */
    @Nullable
    List<Arrival> keep(Arrival first) {
        if (!kept.add(first.piece)) {
            return null;
        }
        List<Arrival> others = new ArrayList<>();
        for (Arrival other : List.copyOf(of(first.piece))) {
            if (other.state == State.AWAITED) {
                other.state = State.NEEDLESS;
                others.add(other);
            } else if (other.state == State.GATHERED || other.state == State.WHOLE) {
                remove(other);
                others.add(other);
            }
        }
        return others;
    }
}
