package org.robber.emulation.simulator;

import com.google.common.collect.ImmutableList;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.robber.core.node.Event;
import org.robber.core.piece.PieceSet;
import org.robber.core.reduce.Product;
import org.robber.core.reduce.ReadyProducts;

/** The products of one node, as its driver sees them: which can be made now, and which are being made. */
final class SimulatedProducts {
    private final ImmutableList<Product> planned;

    /** Combines the inputs of a product, and tells the node when that is done. */
    private final Consumer<Product> combiner;

    private final Map<Integer, Product> inWork = new HashMap<>();
    private ReadyProducts waiting;
    private PieceSet here;

    /**
     * Nothing is made yet.
     *
     * @param planned the products of the node; empty if nothing is combined
     * @param possession the pieces of the node; copied
     */
    SimulatedProducts(ImmutableList<Product> planned, PieceSet possession, Consumer<Product> combiner) {
        this.planned = planned;
        this.combiner = combiner;
        this.waiting = new ReadyProducts(planned, possession);
        this.here = planned.isEmpty() ? possession : possession.copy();
    }

    /** Begins with the products whose inputs are here at the start. */
    void start() {
        combine(waiting.atStart());
    }

    /** A product is made; returns how. */
    Product made(int piece) {
        Product product = inWork.remove(piece);
        if (product == null) {
            throw new IllegalStateException("piece " + piece + " was not in work");
        }
        return product;
    }

    /** The node has handled this event. Begins with products that can be made now. */
    void handled(Event event) {
        if (planned.isEmpty()) {
            return;
        }
        if (event instanceof Event.PieceStored stored) {
            came(stored.piece());
        } else if (event instanceof Event.PieceProduced produced) {
            came(produced.piece());
        }
    }

    private void came(int piece) {
        if (here.add(piece)) {
            combine(waiting.pieceCame(piece));
        }
    }

    private void combine(ImmutableList<Product> ready) {
        // All are in work before the first one is made, which may make others ready.
        ready.forEach(product -> inWork.put(product.piece(), product));
        ready.forEach(combiner);
    }

    /** Whether a product is being made: what seems to be lost may still come. */
    boolean areInWork() {
        return !inWork.isEmpty();
    }

    /** The node starts again with these pieces. */
    void restarted(PieceSet possession) {
        inWork.clear();
        here = possession.copy();
        waiting = new ReadyProducts(planned, possession);
    }
}
