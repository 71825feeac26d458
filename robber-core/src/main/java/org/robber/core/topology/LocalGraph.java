package org.robber.core.topology;

import org.robber.core.random.SeededRandom;

/**
 * The random graph inside one cluster: a ring through all nodes in random order, then random connections until every node
 * has its degree. Nodes that are short of peers are connected to each other. A node that is connected to all other such nodes gets
 * a random node of the cluster.
 */
final class LocalGraph {
    private final Overlay.Builder overlay;
    private final int[] ranks;
    private final int degree;
    private final SeededRandom random;

    /**
     * A graph that isn't connected yet.
     *
     * @param ranks all nodes of the cluster; kept, and put into another order
     */
    LocalGraph(Overlay.Builder overlay, int[] ranks, int degree, SeededRandom random) {
        this.overlay = overlay;
        this.ranks = ranks;
        this.degree = Math.min(degree, ranks.length - 1);
        this.random = random;
    }

    void connect() {
        if (degree == ranks.length - 1) {
            connectAll();
        } else {
            shuffle();
            for (int i = 0; i < ranks.length; i++) {
                overlay.connect(ranks[i], ranks[(i + 1) % ranks.length]);
            }
            addUntilDegree();
        }
    }

    private void connectAll() {
        for (int i = 0; i < ranks.length; i++) {
            for (int j = 0; j < i; j++) {
                overlay.connect(ranks[i], ranks[j]);
            }
        }
    }

    private void shuffle() {
        for (int i = ranks.length - 1; i > 0; i--) {
            swap(i, random.nextInt(i + 1));
        }
    }

    /** Keeps the nodes that are short of peers at the front: ranks[0] to ranks[open - 1]. */
    private void addUntilDegree() {
        int open = dropSated(ranks.length);
        while (open > 0) {
            int last = open - 1;
            int peer = randomUnconnected(ranks[last], last);
            if (peer < 0) {
                peer = randomUnconnected(ranks[last], ranks.length);
            }
            overlay.connect(ranks[last], ranks[peer]);
            if (peer < last && isSated(ranks[peer])) {
                // The node that is being connected stays the last of those in front.
                swap(peer, last - 1);
                swap(last - 1, last);
                open--;
            }
            open = dropSated(open);
        }
    }

    private int dropSated(int open) {
        int left = open;
        while (left > 0 && isSated(ranks[left - 1])) {
            left--;
        }
        return left;
    }

    private boolean isSated(int rank) {
        return overlay.degree(rank) >= degree;
    }

    /** The place, below {@code end}, of a node that this one isn't connected to, or -1 if there is none. */
    private int randomUnconnected(int rank, int end) {
        if (end == 0) {
            return -1;
        }
        // A few more draws than it has peers nearly always find such a node; the search after them always does.
        for (int draws = 4 * degree; draws > 0; draws--) {
            int place = random.nextInt(end);
            if (isUnconnected(rank, ranks[place])) {
                return place;
            }
        }
        int start = random.nextInt(end);
        for (int i = 0; i < end; i++) {
            int place = (start + i) % end;
            if (isUnconnected(rank, ranks[place])) {
                return place;
            }
        }
        return -1;
    }

    private boolean isUnconnected(int rank, int otherRank) {
        return rank != otherRank && !overlay.connected(rank, otherRank);
    }

    private void swap(int i, int j) {
        int rank = ranks[i];
        ranks[i] = ranks[j];
        ranks[j] = rank;
    }
}
