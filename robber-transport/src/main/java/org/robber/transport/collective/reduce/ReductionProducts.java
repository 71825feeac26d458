package org.robber.transport.collective.reduce;

import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.IntConsumer;
import org.robber.core.piece.PieceSet;
import org.robber.core.reduce.Product;
import org.robber.core.reduce.ReadyProducts;
import org.robber.core.reduce.ReductionPlan;

/** Combines the pieces of a reduction at one member. Thread-safe. */
public final class ReductionProducts {
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

    /**
     * The products whose inputs are all here from the start.
     *
     * @param produced told each piece that was made, when it is stored and can be read
     */
    public List<Runnable> atStart(IntConsumer produced) {
        return work(ready.atStart(), produced);
    }

    /**
     * A piece is here, because it came or was produced.
     *
     * @return the work that can be done now, in any order, off event loops. It throws a {@link org.robber.RobberException} if an operation of the
     *     user fails
     */
    public List<Runnable> pieceCame(int piece, IntConsumer produced) {
        ImmutableList<Product> products;
        synchronized (ready) {
            products = ready.pieceCame(piece);
        }
        return work(products, produced);
    }

    private List<Runnable> work(ImmutableList<Product> products, IntConsumer produced) {
        return products.stream()
                .map(product -> (Runnable) () -> make(product, produced))
                .toList();
    }

    private void make(Product product, IntConsumer produced) {
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
        produced.accept(product.piece());
    }
}
