package org.robber.core.rivals.tree.plan;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;

/**
 * The plan of a multicast: stripes that together carry all of the data.
 *
 * @param stripes at least one, all over the same nodes
 */
public record Forest(ImmutableList<Stripe> stripes) {
    public Forest {
        checkArgument(!stripes.isEmpty(), "no stripes");
    }

    /** A plan of a single tree, as fast as it goes. */
    public static Forest of(int[] parents) {
        return new Forest(ImmutableList.of(new Stripe(parents, 1, 0)));
    }

    /** The same connections for a multicast from another root. */
    public Forest rootedAt(int rootRank) {
        return new Forest(
                stripes.stream().map(stripe -> stripe.rootedAt(rootRank)).collect(ImmutableList.toImmutableList()));
    }

    /** Every node is connected to its parent, and to the parent of that in case it dies. */
    public Overlay overlay(Topology topology) {
        Overlay.Builder overlay = Overlay.builder(topology);
        for (Stripe stripe : stripes) {
            for (int rank = 0; rank < topology.size(); rank++) {
                int parent = stripe.parent(rank);
                int grandparent = parent == Stripe.NONE ? Stripe.NONE : stripe.parent(parent);
                if (parent != Stripe.NONE) {
                    overlay.connect(rank, parent);
                }
                if (grandparent != Stripe.NONE) {
                    overlay.connect(rank, grandparent);
                }
            }
        }
        return overlay.build();
    }

    /**
     * Where the pieces of each stripe begin: contiguous ranges in proportion to the shares. One entry more than there are
     * stripes; the last is the number of pieces.
     */
    public int[] firstPieces(int pieceCount) {
        double total = stripes.stream().mapToDouble(Stripe::share).sum();
        int[] starts = new int[stripes.size() + 1];
        double before = 0;
        for (int i = 0; i < stripes.size(); i++) {
            starts[i] = (int) Math.min(pieceCount, Math.round(before / total * pieceCount));
            before += stripes.get(i).share();
        }
        starts[stripes.size()] = pieceCount;
        return starts;
    }
}
