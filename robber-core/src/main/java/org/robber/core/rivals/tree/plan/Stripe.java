package org.robber.core.rivals.tree.plan;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.primitives.Ints;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** A part of the data and the tree of nodes along which it travels. Immutable. */
public final class Stripe {
    /** The parent of the root. */
    public static final int NONE = -1;

    private final int[] parents;
    private final double share;
    private final double bytesPerSecond;

    /** The children of all nodes, those of rank r from childStart[r] on, largest subtree first. */
    private final int[] children;

    private final int[] childStart;

    /**
     * A tree.
     *
     * @param parents the parent of each rank; {@link #NONE} for the root alone
     * @param share how much of the data travels here, relative to other stripes, more than 0
     * @param bytesPerSecond the rate at which it leaves the cluster of the root; 0: as fast as it goes
     */
    public Stripe(int[] parents, double share, double bytesPerSecond) {
        checkArgument(share > 0 && Double.isFinite(share), "share: %s", share);
        checkArgument(bytesPerSecond >= 0, "bytesPerSecond: %s", bytesPerSecond);
        this.parents = parents;
        this.share = share;
        this.bytesPerSecond = bytesPerSecond;
        this.childStart = new int[parents.length + 1];
        this.children = new int[parents.length - 1];
        groupByParent();
        int[] subtreeSizes = subtreeSizes();
        Comparator<Integer> largestFirst = Comparator.comparingInt(child -> -subtreeSizes[child]);
        for (int rank = 0; rank < parents.length; rank++) {
            List<Integer> own = Ints.asList(children).subList(childStart[rank], childStart[rank + 1]);
            Collections.sort(own, largestFirst);
        }
    }

    private void groupByParent() {
        int roots = 0;
        for (int parent : parents) {
            if (parent == NONE) {
                roots++;
            } else {
                childStart[parent + 1]++;
            }
        }
        checkArgument(roots == 1, "%s roots", roots);
        for (int rank = 0; rank < parents.length; rank++) {
            childStart[rank + 1] += childStart[rank];
        }
        int[] next = Arrays.copyOf(childStart, parents.length);
        for (int rank = 0; rank < parents.length; rank++) {
            if (parents[rank] != NONE) {
                children[next[parents[rank]]++] = rank;
            }
        }
    }

    /** The number of nodes in the subtree of each node. Throws if the parents are no tree. */
    private int[] subtreeSizes() {
        int[] order = new int[parents.length];
        order[0] = Ints.indexOf(parents, NONE);
        int reached = 1;
        for (int visited = 0; visited < reached; visited++) {
            for (int i = childStart[order[visited]]; i < childStart[order[visited] + 1]; i++) {
                order[reached++] = children[i];
            }
        }
        checkArgument(reached == parents.length, "%s of %s nodes are in the tree", reached, parents.length);
        int[] sizes = new int[parents.length];
        for (int place = parents.length - 1; place >= 0; place--) {
            sizes[order[place]]++;
            if (place > 0) {
                sizes[parents[order[place]]] += sizes[order[place]];
            }
        }
        return sizes;
    }

    double share() {
        return share;
    }

    /** The rate at which it leaves the cluster of the root; 0: as fast as it goes. */
    public double bytesPerSecond() {
        return bytesPerSecond;
    }

    /** The parent of a node, or {@link #NONE}. */
    public int parent(int rank) {
        return parents[rank];
    }

    /** The children of a node, those with the largest subtrees first. */
    public int[] children(int rank) {
        return Arrays.copyOfRange(children, childStart[rank], childStart[rank + 1]);
    }

    /** The same edges, directed away from another node. */
    public Stripe rootedAt(int rootRank) {
        if (parents[rootRank] == NONE) {
            return this;
        }
        int[] turned = parents.clone();
        int child = NONE;
        for (int rank = rootRank; rank != NONE; rank = parents[rank]) {
            turned[rank] = child;
            child = rank;
        }
        return new Stripe(turned, share, bytesPerSecond);
    }
}
