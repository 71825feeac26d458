package org.robber.core.rivals.tree.plan;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.primitives.Ints;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.robber.core.topology.TreeOrder;

/** A part of the data and the tree of nodes along which it travels. Immutable. */
public final class Stripe {
    /** The parent of the root. */
    public static final int NONE = TreeOrder.NONE;

    private final int[] parents;
    private final double share;
    private final double bytesPerSecond;

    /** All ranks, each after its parent. Rank r has its children from childStart[r] up to childEnd[r], largest subtree first. */
    private final int[] order;

    private final int[] childStart;
    private final int[] childEnd;

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
        this.order = TreeOrder.rootFirst(parents);
        this.childStart = new int[parents.length];
        this.childEnd = new int[parents.length];
        for (int place = 1; place < order.length; place++) {
            int parent = parents[order[place]];
            if (parent != parents[order[place - 1]]) {
                childStart[parent] = place;
            }
            childEnd[parent] = place + 1;
        }
        int[] subtreeSizes = subtreeSizes();
        Comparator<Integer> largestFirst = Comparator.comparingInt(child -> -subtreeSizes[child]);
        for (int rank = 0; rank < parents.length; rank++) {
            List<Integer> own = Ints.asList(order).subList(childStart[rank], childEnd[rank]);
            Collections.sort(own, largestFirst);
        }
    }

    private int[] subtreeSizes() {
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
        return Arrays.copyOfRange(order, childStart[rank], childEnd[rank]);
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
