package org.robber.transport.collective.reduce;

import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.robber.core.piece.PieceSet;
import org.robber.core.reduce.Product;
import org.robber.core.reduce.ReadyProducts;
import org.robber.core.reduce.ReductionPlan;
import org.robber.transport.collective.exchange.Products;

/** Combines the pieces of a reduction at one member. */
final class ReductionProducts implements Products {
    private final Reduction reduction;
    private final ReductionStorage storage;
    private final ReadyProducts ready;

    /** What this node has or makes itself. Others want it, so it is kept. */
    private final PieceSet own;

    ReductionProducts(Reduction reduction, ReductionPlan plan, ReductionStorage storage) {
        this.reduction = reduction;
        this.storage = storage;
        PieceSet possessed = plan.placement().possessedBy(reduction.rank());
        this.ready = new ReadyProducts(plan.productsOf(reduction.rank()), possessed);
        this.own = plan.placement().producedBy(reduction.rank());
        this.own.addAll(possessed);
    }

    @Override
    public List<Runnable> atStart(Produced produced) {
        return work(ready.atStart(), produced);
    }

    @Override
    public List<Runnable> pieceCame(int piece, Produced produced) {
        ImmutableList<Product> products;
        synchronized (ready) {
            products = ready.pieceCame(piece);
        }
        return work(products, produced);
    }

    private List<Runnable> work(ImmutableList<Product> products, Produced produced) {
        return products.stream()
                .map(product -> (Runnable) () -> make(product, produced))
                .toList();
    }

    private void make(Product product, Produced produced) {
        try {
            storage.make(product.piece(), product.inputs(), reduction::combine);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        for (int i = 0; i < product.inputs().length(); i++) {
            int input = product.inputs().get(i);
            if (!own.contains(input)) {
                storage.drop(input);
            }
        }
        produced.produced(product.piece());
    }
}
