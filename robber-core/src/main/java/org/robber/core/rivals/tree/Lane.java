package org.robber.core.rivals.tree;

import com.google.common.collect.ImmutableList;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.robber.core.peer.Peer;
import org.robber.core.piece.PieceSet;

/** How the pieces of one stripe come to one node: in order, from the nearest ancestor that is alive. */
final class Lane {
    private final int to;
    private final ImmutableList<Peer> ancestors;

    /** Requests that have not been answered. */
    private final TreeSet<Integer> asked = new TreeSet<>();

    /** Pieces that were asked for in vain. */
    private final TreeSet<Integer> again = new TreeSet<>();

    private final int length;
    private final int window;
    private int next;

    /**
     * A lane on which nothing has come.
     *
     * @param from the first piece
     * @param to one more than the last piece
     * @param window how many pieces may be asked for at a time
     * @param ancestors who may be asked, the parent first
     */
    Lane(int from, int to, int window, ImmutableList<Peer> ancestors) {
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

    /** Whether all who might have been asked are gone for good. */
    boolean isForsaken() {
        return ancestors.stream().allMatch(Peer::isExpelled);
    }

    boolean isAncestor(Peer peer) {
        return ancestors.contains(peer);
    }

    /** How much of the lane was asked for, from 0 to 1. */
    double progress() {
        return 1 - (double) (to - next) / length;
    }

    /** Whether as many pieces are asked for as may be. */
    boolean isFull() {
        return asked.size() >= window;
    }

    boolean isAsked(int piece) {
        return asked.contains(piece);
    }

    /** The next piece to ask for, which then counts as asked; or -1 if there is none. */
    int ask(PieceSet possession) {
        Integer piece = again.pollFirst();
        while (piece == null && next < to) {
            if (!possession.contains(next)) {
                piece = next;
            }
            next++;
        }
        if (piece == null) {
            return -1;
        }
        asked.add(piece);
        return piece;
    }

    /** The piece is here, wherever it came from. */
    void stored(int piece) {
        asked.remove(piece);
        again.remove(piece);
    }

    /** What was asked for will not come; returns whether it was asked for. */
    boolean takeBack(int piece) {
        return asked.remove(piece) && again.add(piece);
    }

    /** Nothing that was asked for will come. */
    void takeBackAll() {
        again.addAll(asked);
        asked.clear();
    }
}
