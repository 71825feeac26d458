package org.robber.core.reduce;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.robber.core.piece.PieceSet;

/** Finds the products of one node whose inputs are all here. Each product is found once. Not thread-safe. */
public final class ReadyProducts {
    private final ImmutableListMultimap<Integer, Product> productsOfInput;

    /** How many inputs are not here yet, by the piece of the product. */
    private final Map<Integer, Integer> missingInputs = new HashMap<>();

    private final ImmutableList<Product> readyAtStart;

    /**
     * The products of a node.
     *
     * @param possession what the node possesses at the start; the products among it are not made again
     */
    public ReadyProducts(List<Product> products, PieceSet possession) {
        ImmutableListMultimap.Builder<Integer, Product> ofInput = ImmutableListMultimap.builder();
        ImmutableList.Builder<Product> ready = ImmutableList.builder();
        for (Product product : products) {
            if (possession.contains(product.piece())) {
                continue;
            }
            int missing = 0;
            for (int i = 0; i < product.inputs().length(); i++) {
                int input = product.inputs().get(i);
                if (!possession.contains(input)) {
                    ofInput.put(input, product);
                    missing++;
                }
            }
            missingInputs.put(product.piece(), missing);
            if (missing == 0) {
                ready.add(product);
            }
        }
        productsOfInput = ofInput.build();
        readyAtStart = ready.build();
    }

    /** The products that can be made at once, in the order of the plan. */
    public ImmutableList<Product> atStart() {
        return readyAtStart;
    }

    /** A piece is here, because it came or was produced, for the first time. Returns the products that can be made now. */
    public ImmutableList<Product> pieceCame(int piece) {
        return productsOfInput.get(piece).stream()
                .filter(product -> missingInputs.merge(product.piece(), -1, Integer::sum) == 0)
                .collect(ImmutableList.toImmutableList());
    }
}
