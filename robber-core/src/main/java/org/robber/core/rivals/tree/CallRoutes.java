package org.robber.core.rivals.tree;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ListMultimap;
import com.google.common.collect.Multimaps;
import com.google.common.primitives.Ints;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.IntFunction;
import org.robber.core.node.NodeSetup;
import org.robber.core.piece.PieceSet;
import org.robber.core.rivals.tree.plan.Forest;
import org.robber.core.rivals.tree.plan.Stripe;
import org.robber.core.topology.DataPlacement;

/**
 * Which way the pieces of a call take. The pieces are divided into contiguous parts. Each part has a tree that leads away from its owner. In a multicast
 * these are the stripes of a {@link Forest}. In other calls all parts use one tree, turned so that it leads away from the first owner of the part.
 */
final class CallRoutes {
    private final ImmutableList<Stripe> trees;
    private final int[] firstPieces;

    private CallRoutes(ImmutableList<Stripe> trees, int[] firstPieces) {
        this.trees = trees;
        this.firstPieces = firstPieces;
    }

    /** The routes of a multicast. */
    static CallRoutes ofMulticast(Forest forest, int pieceCount) {
        return new CallRoutes(forest.stripes(), forest.firstPieces(pieceCount));
    }

    /**
     * The routes of any call.
     *
     * @param treeFrom the tree that leads away from a node
     */
    static CallRoutes of(DataPlacement placement, IntFunction<Stripe> treeFrom) {
        int[] owners = placement.firstOwners();
        ImmutableList.Builder<Stripe> trees = ImmutableList.builder();
        List<Integer> starts = new ArrayList<>();
        for (int piece = 0; piece < owners.length; piece++) {
            if (piece == 0 || owners[piece] != owners[piece - 1]) {
                trees.add(treeFrom.apply(owners[piece]));
                starts.add(piece);
            }
        }
        starts.add(owners.length);
        return new CallRoutes(
                trees.build(), starts.stream().mapToInt(Integer::intValue).toArray());
    }

    /** The tree of each part. */
    ImmutableList<Stripe> trees() {
        return trees;
    }

    /** The first piece of each part, one entry more than there are parts; not to be changed. */
    int[] firstPieces() {
        return firstPieces;
    }

    /** Number of pieces of a part. */
    int length(int part) {
        return firstPieces[part + 1] - firstPieces[part];
    }

    /** The pieces that a node wants, and those that it passes on to nodes behind it; a new set. */
    PieceSet wantedOrPassedOn(NodeSetup setup) {
        DataPlacement placement = setup.placement();
        if (placement.isWantedByAll()) {
            return placement.wantedBy(setup.rank());
        }
        PieceSet wanted = placement.wantedBy(setup.rank());
        ListMultimap<Integer, Integer> partsFrom = ArrayListMultimap.create();
        for (int part = 0; part < trees.size(); part++) {
            int parent = trees.get(part).parent(setup.rank());
            if (parent != Stripe.NONE) {
                partsFrom.put(parent, part);
            }
        }
        // All pieces from one parent have the same nodes behind this one.
        Multimaps.asMap(partsFrom).values().forEach(parts -> {
            PieceSet passedOn = PieceSet.empty(placement.pieceCount());
            parts.forEach(part -> passedOn.addRange(firstPieces[part], firstPieces[part + 1]));
            passedOn.retainAll(wantedFrom(setup.rank(), trees.get(parts.get(0)), placement));
            wanted.addAll(passedOn);
        });
        return wanted;
    }

    /** The pieces that a node and those behind it want. */
    private static PieceSet wantedFrom(int rank, Stripe tree, DataPlacement placement) {
        PieceSet wanted = PieceSet.empty(placement.pieceCount());
        Queue<Integer> ranks = new ArrayDeque<>(List.of(rank));
        for (Integer next = ranks.poll(); next != null; next = ranks.poll()) {
            wanted.addAll(placement.wantedBy(next));
            ranks.addAll(Ints.asList(tree.children(next)));
        }
        return wanted;
    }
}
