package org.robber.core.rivals.tree;

import com.google.common.collect.ImmutableList;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.robber.core.peer.Peer;
import org.robber.core.transfer.Possession;

/** Where the pieces of one stripe come from at one node: in order, from the nearest ancestor that is connected. */
final class StripeSource {
    private final int to;
    private final ImmutableList<Peer> ancestors;

    /** Pieces whose request has not been answered, and the ancestor that was asked for each. */
    private final Map<Integer, Peer> requests = new HashMap<>();

    private final int window;

    /** Pieces whose request failed. */
    private final TreeSet<Integer> retries = new TreeSet<>();

    private final int length;
    private int next;

    /**
     * A source of which nothing was requested.
     *
     * @param from the first piece
     * @param to one more than the last piece
     * @param window how many requests may be unanswered at a time
     * @param ancestors who may be asked, the parent first
     */
    StripeSource(int from, int to, int window, ImmutableList<Peer> ancestors) {
        this.next = from;
        this.to = to;
        this.length = to - from;
        this.window = window;
        this.ancestors = ancestors;
    }

    /** Whom to ask: the nearest ancestor that isn't lost, or null if there is none. */
    @Nullable
    Peer source() {
        for (Peer ancestor : ancestors) {
            if (!ancestor.isLost()) {
                return ancestor;
            }
        }
        return null;
    }

    /** Whether all ancestors are dead. */
    boolean hasNoAncestorLeft() {
        return ancestors.stream().allMatch(Peer::isExpelled);
    }

    boolean isAncestor(Peer peer) {
        return ancestors.contains(peer);
    }

    /** The part of the stripe that was requested, from 0 to 1. */
    double progress() {
        return 1 - (double) (to - next) / length;
    }

    /** Whether the window is full. */
    boolean isFull() {
        return requests.size() >= window;
    }

    /** Whether a request of this piece to this ancestor has not been answered. */
    boolean isAskedOf(Peer ancestor, int piece) {
        return ancestor.equals(requests.get(piece));
    }

    /** The next piece to request of this ancestor, which then counts as requested; or -1 if there is none. */
    int ask(Peer ancestor, Possession possession) {
        Integer piece = retries.pollFirst();
        while (piece == null && next < to) {
            if (possession.misses(next)) {
                piece = next;
            }
            next++;
        }
        if (piece == null) {
            return -1;
        }
        requests.put(piece, ancestor);
        return piece;
    }

    /** The piece is here, wherever it came from. */
    void stored(int piece) {
        requests.remove(piece);
        retries.remove(piece);
    }

    /** The request of a piece failed; returns whether there was one. */
    boolean takeBack(int piece) {
        return requests.remove(piece) != null && retries.add(piece);
    }

    /** All requests to this ancestor failed. Those to others are still answered. */
    void takeBackAll(Peer ancestor) {
        requests.forEach((piece, asked) -> {
            if (asked.equals(ancestor)) {
                retries.add(piece);
            }
        });
        requests.keySet().removeAll(retries);
    }
}
